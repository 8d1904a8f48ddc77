// How a player's rank and score moved: at each of some instants just what the board of that instant says. The history
// is read once for each set of rules that was in force at one of them, whatever their number.

import type { Decimal } from '../../domain/decimal.ts'
import { scoreStream } from '../../domain/score.ts'
import type { TimeSlices } from '../../scheduling/time-slices.ts'
import { unopened } from '../../stores/support/history-pages.ts'
import type { Board } from '../leaderboard.ts'
import { checkFits } from '../too-large.ts'
import { absencesReached, banChanges, deletedPlayers, isDeleted } from './absences.ts'
import type { PastBoards } from './boards.ts'
import type { FoldingDeps, Instant } from './deps.ts'
import { type Mark, marksOf } from './marks.ts'
import { OthersRanked } from './others.ts'
import { eventsOf, isScore, streamBy } from './reading.ts'

/** `rank` and `score` are of the player's best entry; null where none of theirs was shown then. */
export interface Point {
  readonly time: string
  readonly rank: number | null
  readonly score: Decimal | null
}

/** In order of time, from the player's first submission on; none without one. `asOf` of the instant is the end. */
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
  if (first === undefined || first.meta.time > asOf) return []
  const told = async (slices: TimeSlices) => {
    // It may be long: few are held at once, or they would fill the memory.
    const own = (await streamBy(deps.log, stream, asOf)).filter(isScore)
    const marks = await marksOf(deps, { board, player, own, points, asOf }, slices)
    const found = new Map<string, number>()
    for (const some of byRules(marks)) await rank(deps, { board, player, marks: some }, found, slices)
    return marks.map(
      ({ time, member, score }): Point => ({ time, rank: member === null ? null : (found.get(time) ?? null), score }),
    )
  }
  return queue.run(instant, 'past', told)
}

function byRules(marks: readonly Mark[]): Iterable<readonly Mark[]> {
  const groups = new Map<number, Mark[]>()
  for (const mark of marks) {
    if (mark.member === null) continue
    const { generation } = mark.state
    const group = groups.get(generation)
    if (group === undefined) groups.set(generation, [mark])
    else group.push(mark)
  }
  return groups.values()
}

/** Ranks among all others, of those instants that one set of rules was in force at. */
async function rank(
  deps: FoldingDeps,
  { board, player, marks }: { readonly board: Board; readonly player: string; readonly marks: readonly Mark[] },
  found: Map<string, number>,
  slices: TimeSlices,
): Promise<void> {
  const { queries, log } = deps
  const { game } = board
  const [last] = marks.slice(-1)
  const upTo = await deps.reached(game)
  if (last === undefined || upTo === null) return
  const reached = await absencesReached(queries, game)
  const deleted = new Set(await deletedPlayers(queries, game, null))
  const bans = await banChanges(queries, { game }, { after: null, upTo: reached, asOf: last.time })
  const others = new OthersRanked(marks, bans, log, slices)
  for await (const page of eventsOf(unopened(queries.history), board.id, { after: null, last: upTo }, slices)) {
    for (const event of page) {
      const whose = event.meta.player ?? ''
      if (!isScore(event) || event.meta.time > last.time || whose === player || deleted.has(whose)) continue
      await others.take(event)
      if (slices.due) await slices.yield()
    }
    checkFits(others.bytes, deps.bytesOfFold)
  }
  await others.end()
  for (const [i, { time }] of marks.entries()) found.set(time, others.ranks[i] as number)
}
