// One log for all tests of `scorebook history`: painted in a service of its own, taken along in every
// way, and read whole beside it.

import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Manifest } from '../../archive/manifest.ts'
import { crawl, keyIn, type Reads, readerWith } from '../archive/crawl.ts'
import { paint, type Scenery } from '../archive/scenery.ts'
import { command, type Env, newFolder, openService, type Said, type Service } from './service.ts'

export const MASTER = Buffer.alloc(32, 7)
export const MASTER_KEY = MASTER.toString('base64')

export interface TakenLog {
  readonly scenery: Scenery
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

let taken: Promise<TakenLog> | null = null

/** Taken once for all files that ask. */
export function takenLog(): Promise<TakenLog> {
  taken ??= takeLog()
  return taken
}

async function takeLog(): Promise<TakenLog> {
  const folder = await newFolder()
  const at = (name: string) => join(folder, name)
  const service = await openService(await emptyPlace())
  const { env } = service
  const scenery = await paint(service)
  const asWas = await readsOf(service, scenery)
  const running = await service.json<Manifest>('history', 'export', '--all', '--out', at('running'))
  expect(running.scope).to.deep.equal({ whole: true })
  for (const format of ['ndjson', 'csv', 'parquet']) {
    await service.json('history', 'export', '--out', at(format), '--format', format, '--type', 'ScoreSubmitted')
  }
  await service.json('history', 'export', '--out', at('game'))
  await service.stop()
  const said = await command(env, 'history', 'export', '--all', '--out', at('all'), '--vault', at('vault'))
  expect(said.code, said.err).to.equal(0)
  expect(said.err).to.match(/^Exporting: \d+ events in /)
  return { scenery, asWas, env, at }
}

/** Stores of their own that nothing is in yet. */
export const emptyPlace = async (settings: Env = {}): Promise<Env & { readonly DATA_DIR: string }> => ({
  MASTER_KEY,
  ...settings,
  DATA_DIR: await newFolder(),
})

/** Every read of a service; the game's key is in `keyFolder`. */
export async function readsOf(service: Service, { game }: Scenery, keyFolder = service.dataDir): Promise<Reads> {
  const read = await readerWith(service.url, await keyIn(keyFolder, game))
  return crawl(read, await readerWith(service.url, await keyIn(service.dataDir, null)), game)
}

export const manifestAt = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))

/** That a command failed for this reason, and printed nothing but that. */
export function expectFailed(said: Said, why: string): void {
  expect([said.code, said.out], said.err).to.deep.equal([1, ''])
  expect(said.err).to.contain(why)
}

/** A copy of the whole export whose events end after line 30; gives the path of these. */
export async function cutExport(at: TakenLog['at'], name: string): Promise<string> {
  await cp(at('all'), at(name), { recursive: true })
  const path = join(at(name), 'events.ndjson')
  const lines = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, `${lines.slice(0, 30).join('\n')}\n`)
  return path
}
