// One log for all tests of `scorebook history`: recorded by a service of its own, exported in every format, together
// with the answers of all reads.

import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Manifest } from '../../portability/export/manifest.ts'
import { crawl, keyIn, type Reads, readerWith } from '../portability/export/crawl.ts'
import { createTestGame, type TestGame } from '../portability/export/test-game.ts'
import { IS_FULL } from '../seeds.ts'
import { pause } from '../until.ts'
import { type CommandResult, command, type Env, newFolder, openService, type Service } from './service.ts'

export const MASTER = Buffer.alloc(32, 7)
export const MASTER_KEY = MASTER.toString('base64')

const CHECK_EVERY_MS = 1_000

export interface ExportedLog {
  readonly testGame: TestGame
  /** Answers of all reads of the service that recorded the log. */
  readonly asWas: Reads
  /** The environment of that service. */
  readonly env: Env
  /**
   * A path in the folder of exports: `all` and `running` contain the whole log, with vault files; the others contain
   * one game.
   */
  at(name: string): string
}

let taken: Promise<ExportedLog> | null = null

/** Exports once; all test files share the result. */
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
  // Only the full run compares all reads of the original with those of an import.
  if (IS_FULL) await untilCleared(service, testGame.game)
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

/**
 * Waits for the events that clear the entries of the old rules, 30 s after the rule changes: no process appends one
 * after that.
 */
export async function untilCleared(service: Service, game: string): Promise<void> {
  const boards = async (type: string) => {
    const { out } = await service.run('history', 'export', '--game', game, '--type', type)
    const lines = out.split('\n').filter((line) => line !== '')
    return new Set(lines.map((line) => JSON.parse(line).stream)).size
  }
  const changed = await boards('LeaderboardRulesChanged')
  while ((await boards('LeaderboardSliceCleared')) < changed) await pause(CHECK_EVERY_MS)
}

/** The environment of new, empty stores. */
export const emptyStores = async (settings: Env = {}): Promise<Env & { readonly DATA_DIR: string }> => ({
  MASTER_KEY,
  ...settings,
  DATA_DIR: await newFolder(),
})

/** The answers of all reads of a service. The game's key is in `keyFolder`. */
export async function readsOf(service: Service, { game }: TestGame, keyFolder = service.dataDir): Promise<Reads> {
  const read = await readerWith(service.url, await keyIn(keyFolder, game))
  return crawl(read, await readerWith(service.url, await keyIn(service.dataDir, null)), game)
}

export const manifestAt = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))

/** Expects that a command failed with this error text and printed nothing else. */
export function expectFailed(result: CommandResult, error: string): void {
  expect([result.code, result.out], result.err).to.deep.equal([1, ''])
  expect(result.err).to.contain(error)
}

/** Copies the whole export and cuts its events after line 30. Returns the path of the events file. */
export async function cutExport(at: ExportedLog['at'], name: string): Promise<string> {
  await cp(at('all'), at(name), { recursive: true })
  const path = join(at(name), 'events.ndjson')
  const lines = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, `${lines.slice(0, 30).join('\n')}\n`)
  return path
}
