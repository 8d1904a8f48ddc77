// One log for all tests of `scorebook history`: painted in a service of its own, taken along in every
// way, and read whole beside it.

import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Manifest } from '../../archive/manifest.ts'
import { crawl, keyIn, type Reads, readerWith } from '../archive/crawl.ts'
import { createTestGame, type TestGame } from '../archive/test-game.ts'
import { type CommandResult, command, type Env, newFolder, openService, type Service } from './service.ts'

export const MASTER = Buffer.alloc(32, 7)
export const MASTER_KEY = MASTER.toString('base64')

export interface ExportedLog {
  readonly testGame: TestGame
  /** Every read of the service that it was taken from. */
  readonly asWas: Reads
  /** Where that service's stores lie. */
  readonly env: Env
  /**
   * A path in the folder of exports: `all` is whole and has its vault beside it, `running` too,
   * and the others are of the game.
   */
  at(name: string): string
}

let taken: Promise<ExportedLog> | null = null

/** Taken once for all files that ask. */
export function exportedLog(): Promise<ExportedLog> {
  taken ??= exportLog()
  return taken
}

async function exportLog(): Promise<ExportedLog> {
  const folder = await newFolder()
  const at = (name: string) => join(folder, name)
  const service = await openService(await emptyStores())
  const { env } = service
  const testGame = await createTestGame(service)
  const asWas = await readsOf(service, testGame)
  const running = await service.json<Manifest>('history', 'export', '--all', '--out', at('running'))
  expect(running.scope).to.deep.equal({ whole: true })
  for (const format of ['ndjson', 'csv', 'parquet']) {
    await service.json('history', 'export', '--out', at(format), '--format', format, '--type', 'ScoreSubmitted')
  }
  await service.json('history', 'export', '--out', at('game'))
  await service.stop()
  const result = await command(env, 'history', 'export', '--all', '--out', at('all'), '--vault', at('vault'))
  expect(result.code, result.err).to.equal(0)
  expect(result.err).to.match(/^Exporting: \d+ events in /)
  return { testGame, asWas, env, at }
}

/** Stores of their own that nothing is in yet. */
export const emptyStores = async (settings: Env = {}): Promise<Env & { readonly DATA_DIR: string }> => ({
  MASTER_KEY,
  ...settings,
  DATA_DIR: await newFolder(),
})

/** Every read of a service; the game's key is in `keyFolder`. */
export async function readsOf(service: Service, { game }: TestGame, keyFolder = service.dataDir): Promise<Reads> {
  const read = await readerWith(service.url, await keyIn(keyFolder, game))
  return crawl(read, await readerWith(service.url, await keyIn(service.dataDir, null)), game)
}

export const manifestAt = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))

/** That a command failed for this reason, and printed nothing but that. */
export function expectFailed(result: CommandResult, why: string): void {
  expect([result.code, result.out], result.err).to.deep.equal([1, ''])
  expect(result.err).to.contain(why)
}

/** A copy of the whole export whose events end after line 30; gives the path of these. */
export async function cutExport(at: ExportedLog['at'], name: string): Promise<string> {
  await cp(at('all'), at(name), { recursive: true })
  const path = join(at(name), 'events.ndjson')
  const lines = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, `${lines.slice(0, 30).join('\n')}\n`)
  return path
}
