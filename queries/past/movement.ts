// How a player's rank and score moved: each point agrees with the board as of its instant. The history is read once for
// each set of rules that was active at one of the instants.

import type { Decimal } from '../../domain/decimal.ts'
import { scoreStream } from '../../domain/score.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { unopened } from '../../stores/support/history-pages.ts'
import { checkBoardMemory } from '../check-board-memory.ts'
import type { Board } from '../leaderboard.ts'
import { absencesReached, banChanges, deletedPlayers, isDeleted } from './absences.ts'
import type { PastBoards } from './boards.ts'
import type { FoldingDeps, Instant } from './deps.ts'
import { RanksAmongOthers } from './ranks-among-others.ts'
import { eventsOf, isScore, streamBy } from './reading.ts'
import { type Sample, samplesOf } from './samples.ts'

/** `rank` and `score` are of the player's best entry; null if they had no shown entry then. */
export interface Point {
  readonly time: string
  readonly rank: number | null
  readonly score: Decimal | null
}

/**
 * The points in order of time from the player's first submission on; empty if there is none. `instant.asOf` is the end.
 */
export async function movementOf(
  past: PastBoards,
  board: Board,
  { player, points }: { readonly player: string; readonly points: number },
  instant: Instant,
) {
  const { deps, queue } = past
  const { asOf } = instant
  if (await isDeleted(deps.queries, player)) return []
  const stream = scoreStream(board.id, player)
  const [first] = await deps.log.readStream(stream, 0, 1)
  if (first === undefined) return []
  const work = async (slices: TimeSlices) => {
    // The stream may be long, so it is read inside the queue, which bounds how many are held at once.
    const own = (await streamBy(deps.log, stream, asOf)).filter(isScore)
    if (own.length === 0) return []
    const samples = await samplesOf(deps, { board, player, own, points, asOf }, slices)
    const found = new Map<string, number>()
    for (const some of byRules(samples)) await rank(deps, { board, player, samples: some }, found, slices)
    return samples.map(
      ({ time, member, score }): Point => ({ time, rank: member === null ? null : (found.get(time) ?? null), score }),
    )
  }
  return queue.run(instant, 'past', work)
}

function byRules(samples: readonly Sample[]): Iterable<readonly Sample[]> {
  const groups = new Map<number, Sample[]>()
  for (const sample of samples) {
    if (sample.member === null) continue
    const { generation } = sample.state
    const group = groups.get(generation)
    if (group === undefined) groups.set(generation, [sample])
    else group.push(sample)
  }
  return groups.values()
}

/** Ranks the samples of one set of rules among all other players. */
async function rank(
  deps: FoldingDeps,
  { board, player, samples }: { readonly board: Board; readonly player: string; readonly samples: readonly Sample[] },
  found: Map<string, number>,
  slices: TimeSlices,
): Promise<void> {
  const { queries, log } = deps
  const { game } = board
  const [last] = samples.slice(-1)
  const upTo = await deps.reached(game)
  if (last === undefined || upTo === null) return
  const reached = await absencesReached(queries, game)
  const deleted = new Set(await deletedPlayers(queries, game, null))
  const bans = await banChanges(queries, { game }, { after: null, upTo: reached, asOf: last.time })
  const others = new RanksAmongOthers(samples, bans, log, slices)
  for await (const page of eventsOf(unopened(queries.history), board.id, { after: null, last: upTo }, slices)) {
    for (const event of page) {
      const whose = event.meta.player ?? ''
      if (!isScore(event) || event.meta.time > last.time || whose === player || deleted.has(whose)) continue
      await others.take(event)
      if (slices.due) await slices.yield()
    }
    checkBoardMemory(others.bytes, deps.bytesOfFold)
  }
  await others.end()
  for (const [i, { time }] of samples.entries()) found.set(time, others.ranks[i] as number)
}
