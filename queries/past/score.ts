// One score as it stood at an instant: from the board of that instant where it is kept, else from its player's stream
// alone. The board is not folded for it.

import { entryOfStream } from '../../domain/entry.ts'
import { shaped } from '../../domain/event.ts'
import { type ScoreSubmittedData, scoreStream } from '../../domain/score.ts'
import { TimeSlices } from '../../scheduling/time-slices.ts'
import { unopened } from '../../stores/support/history-pages.ts'
import { asFolded, type QueryDeps } from '../deps.ts'
import { type Board, findBoard } from '../leaderboard.ts'
import { queuedIfLong } from '../long-stream.ts'
import type { scoreAnswer } from '../scores/entry.ts'
import { findScore } from '../scores/one.ts'
import { absencesReached, banChanges, bannedBy, isDeleted } from './absences.ts'
import { boardAsOf } from './board.ts'
import type { PastBoards } from './boards.ts'
import type { Instant } from './deps.ts'
import { namesOf, wholeEntries } from './entries.ts'
import { streamBy } from './reading.ts'

type Scored = Parameters<typeof scoreAnswer>[0]

/** Whose score it is, and on which board; and whether it is shown there now. */
interface Whose {
  readonly board: Board
  readonly player: string
  readonly isShown: boolean
}

/** Null where no such score stood there then. O(the player's submissions to the board), but see `whoseAmongChanged`. */
export async function scoreAsOf(
  past: PastBoards,
  id: string,
  game: string | null,
  instant: Instant,
): Promise<Scored | null> {
  const { deps } = past
  const { queries } = deps
  const { asOf } = instant
  const whose = (await whoseByViews(queries, id, game)) ?? (await whoseAmongChanged(past, id, game, instant))
  if (whose === null) return null
  const { player, board, isShown } = whose
  const slices = () => new TimeSlices(instant.signal, instant.path)
  const kept = await past.kept(board, instant)
  if (kept !== null) {
    const own = kept.fold.shownOne(player, id)
    if (own === null) return null
    const [entry = null] = await wholeEntries(deps, kept, [own], slices)
    return entry
  }
  const then = await boardAsOf(deps, board, asOf)
  if (then === null || then.state.archived) return null
  // Who is deleted is not shown.
  if (!isShown && (await isDeleted(queries, player))) return null
  const upTo = await absencesReached(queries, board.game)
  const banned = bannedBy(await banChanges(queries, { player }, { after: null, upTo, asOf }))
  if (banned.has(player)) return null
  const source = { queue: past.queue, log: deps.log }
  const stream = scoreStream(board.id, player)
  const work = async () => {
    const { first, best } = entryOfStream(then.state.rules, await streamBy(deps.log, stream, asOf), id)
    return first?.data.id === id && best !== null ? { event: best, added: first.meta.time } : null
  }
  const stood = await queuedIfLong(source, stream, work, instant)
  if (stood === null) return null
  const { score, secondary, extra, playerName } = shaped<ScoreSubmittedData>(stood.event.data)
  const updated = stood.event.meta.time
  const [present = null] = playerName === null ? await namesOf(queries, [player], slices) : []
  return { id, player, name: playerName ?? present, score, secondary, extra, added: stood.added, updated }
}

/** Not a banned player's, and a score by the rules of now. */
const stands = ({ member }: { readonly member: string | null }): boolean => member !== null

/** Of a score that stands now, or that was deleted. */
async function whoseByViews(queries: QueryDeps, id: string, game: string | null): Promise<Whose | null> {
  const found = await findScore(queries, id, game, true)
  if (found !== null) {
    const { board, entry } = found
    return { board, player: entry.player, isShown: stands(entry) }
  }
  const [deleted] = await queries.views.get(queries.viewKey('past'), 'scores', [id])
  if (!deleted || deleted.body.game !== game) return null
  const board = await findBoard(queries, String(deleted.body.board))
  return board === null ? null : { board, player: String(deleted.body.player), isShown: false }
}

/**
 * Where a board's rules have changed, a submission that was a score is perhaps none any more, and no view knows of it:
 * the streams and revisions of those on such boards of the game are kept. O(boards), once that is known; it is queued as folds are.
 */
async function whoseAmongChanged(
  past: PastBoards,
  id: string,
  game: string | null,
  instant: Instant,
): Promise<Whose | null> {
  if (game === null) return null
  const { deps, queue } = past
  const changed = (await boardsOf(deps.queries, game)).filter(
    ({ generation, state }) => generation > 1 && !state.archived,
  )
  if (changed.length === 0) return null
  const upTo = await deps.reached(game)
  if (upTo === null) return null
  const look = async (slices: TimeSlices) => {
    for (const board of changed) {
      const submissions = await past.submissionsTo(board, upTo, slices)
      const sent = await submissions.find(unopened(deps.queries.history), id)
      if (sent !== null) return { board, player: sent.meta.player ?? '', isShown: false }
    }
    return null
  }
  return queue.run(instant, 'past', look)
}

async function boardsOf({ views, viewKey }: QueryDeps, game: string): Promise<Board[]> {
  const find = { view: viewKey('leaderboards'), collection: 'leaderboards', index: 'game', equal: [game] }
  return (await views.find({ ...find, limit: Number.MAX_SAFE_INTEGER })).map((document) => asFolded(document) as Board)
}
