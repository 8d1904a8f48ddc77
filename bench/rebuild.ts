// Rebuilds a board's views from the log, as a start with a new view version does. The limit is reading and parsing the
// same events from the file. Two boards: a unique one with ten submissions per player, and one where each submission is
// an entry.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ALL_PARTITIONS } from '../domain/partition.ts'
import { catchUp } from '../projections/catch-up.ts'
import { createApplier } from '../projections/create-applier.ts'
import { entries } from '../projections/entries.ts'
import { viewSpec } from '../projections/projection.ts'
import { openLog } from '../stores/embedded/log.ts'
import { openViews } from '../stores/embedded/views.ts'
import { createRankings } from '../test/memory/rankings-in-process.ts'
import { type Append, appendAll, boardCreated, numbers, playerId, RULES, submitted } from './support/events.ts'
import { freshFolder } from './support/fresh-server.ts'
import { inTurn, ownCpuSeconds, type Size } from './support/measure.ts'
import { quietRun } from './support/projection-run.ts'
import { type BenchRow, fastEnough } from './support/row.ts'
import { scanLog } from './support/scan-log.ts'

const BOARD = { game: 'bench', board: 'bench' }
const SUBMISSIONS_A_PLAYER = 10
const SCORES = 1_000_000

export async function benchRebuild(size: Size): Promise<BenchRow[]> {
  const events = size.entries
  const what = `rebuild, ${events.toLocaleString('en')} events / scan and JSON.parse`
  return [
    await rebuilding(size, `${what}, unique, ${SUBMISSIONS_A_PLAYER} a player`, true, 0.4),
    await rebuilding(size, `${what}, each event an entry`, false, 0.15),
  ]
}

async function rebuilding(size: Size, what: string, unique: boolean, goal: number): Promise<BenchRow> {
  const folder = await freshFolder()
  const path = join(folder, 'log.sqlite')
  try {
    const log = await openLog(path)
    await appendAll(log, submissions(size.entries, unique))
    await log.close()
    const costs = await inTurn(size.rounds, {
      limit: () => ownCpuSeconds(async () => scanLog(path)),
      ours: () => rebuild(folder),
    })
    const each = (seconds: readonly number[]) => seconds.map((one) => one / size.entries)
    return fastEnough({ what, limit: each(costs.limit), ours: each(costs.ours) }, goal)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Players submit in random order, each equally often. */
function* submissions(count: number, unique: boolean): Iterable<Append> {
  yield boardCreated(BOARD, { ...RULES, unique })
  const random = numbers(4)
  const players = Uint32Array.from({ length: count }, (_, n) => n % (count / SUBMISSIONS_A_PLAYER))
  const revisions = new Uint8Array(count / SUBMISSIONS_A_PLAYER)
  for (let n = 0; n < count; n++) {
    const drawn = n + random(count - n)
    const player = players[drawn] ?? 0
    players[drawn] = players[n] ?? 0
    const revision = revisions[player] ?? 0
    revisions[player] = revision + 1
    yield submitted(BOARD, playerId(player), random(SCORES), revision, n)
  }
}

async function rebuild(folder: string): Promise<number> {
  const log = await openLog(join(folder, 'log.sqlite'))
  const views = await openViews(join(folder, 'views.sqlite'))
  const seconds = await ownCpuSeconds(async () => {
    await views.prepare(viewSpec(entries))
    const deps = quietRun({ log, history: log, views, rankings: createRankings() })
    await catchUp(deps, [createApplier(entries, deps)], new Set(ALL_PARTITIONS), new AbortController().signal)
  })
  await views.close()
  await log.close()
  await rm(join(folder, 'views.sqlite'))
  return seconds
}
