// One score as of an instant: from the cached board of that instant, else from its player's stream alone. The board is
// not folded for it.

import { entryOfStream } from '../../domain/entry.ts'
import { unsafeCast } from '../../domain/event.ts'
import { type ScoreSubmittedData, scoreStream } from '../../domain/score.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import { unopened } from '../../stores/support/history-pages.ts'
import { asFolded, type QueryDeps } from '../deps.ts'
import { type Board, findBoard } from '../leaderboard.ts'
import { queuedIfLong } from '../long-stream.ts'
import { type AnsweredEntry, answeredEntry } from '../scores/entry.ts'
import { findScore } from '../scores/one.ts'
import { banChanges, bannedBy, isDeleted } from './absences.ts'
import { boardAt } from './board.ts'
import type { PastBoards } from './boards.ts'
import type { Instant } from './deps.ts'
import { namesOf, wholeEntries } from './entries.ts'
import { streamUpTo } from './reading.ts'

/** The player and the board of a score, and whether the score is shown there now. */
interface ScoreOwner {
  readonly board: Board
  readonly player: string
  readonly isShown: boolean
}

/** Null if there was no such score then. O(the player's submissions to the board), but see `ownerOnChangedBoard`. */
export async function scoreAsOf(
  past: PastBoards,
  id: string,
  game: string | null,
  instant: Instant,
): Promise<AnsweredEntry | null> {
  const { deps } = past
  const { queries } = deps
  const owner = (await ownerByViews(queries, id, game)) ?? (await ownerOnChangedBoard(past, id, game, instant))
  if (owner === null) return null
  const { player, board, isShown } = owner
  const slices = () => new TimeSlices(instant.signal, instant.path)
  const cut = await past.cuts.of(board.game, instant.asOf)
  if (cut === null) return null
  const kept = await past.kept(board, cut)
  if (kept !== null) {
    const own = kept.fold.shownOne(player, id)
    if (own === null) return null
    const [entry = null] = await wholeEntries(deps, kept, [own], slices)
    return entry
  }
  const then = await boardAt(deps, board, cut)
  if (then === null || then.state.archived) return null
  // Deleted players are not shown.
  if (!isShown && (await isDeleted(queries, player))) return null
  const banned = bannedBy(await banChanges(queries, { player }, cut))
  if (banned.has(player)) return null
  const source = { queue: past.queue, log: deps.log }
  const stream = scoreStream(board.id, player)
  const work = async () => {
    const { first, shown } = entryOfStream(then.state.rules, await streamUpTo(deps.log, stream, cut), id)
    return first?.data.id === id && shown !== null ? { shown, added: first.meta.time } : null
  }
  const found = await queuedIfLong(source, stream, work, instant)
  if (found === null) return null
  const { event, values } = found.shown
  const sent = unsafeCast<ScoreSubmittedData>(event.data)
  const [present = null] = sent.playerName === null ? await namesOf(queries, [player], slices) : []
  const updated = event.meta.time
  return answeredEntry({ id, player, added: found.added, updated }, values, sent, present)
}

/** Whether the entry is ranked: not hidden, and inside the bounds of the current rules. */
const isRanked = ({ member }: { readonly member: string | null }): boolean => member !== null

/** The owner of a score that exists now or was deleted. */
async function ownerByViews(queries: QueryDeps, id: string, game: string | null): Promise<ScoreOwner | null> {
  const found = await findScore(queries, id, game, true)
  if (found !== null) {
    const { board, entry } = found
    return { board, player: entry.player, isShown: isRanked(entry) }
  }
  const [deleted] = await queries.views.get(queries.viewKey('past'), 'scores', [id])
  if (!deleted || deleted.body.game !== game) return null
  const board = await findBoard(queries, String(deleted.body.board))
  return board === null ? null : { board, player: String(deleted.body.player), isShown: false }
}

/**
 * After a rule change, a submission that was a score may no longer have an entry, so no view has it. Searches the
 * submissions of all changed boards of the game. O(boards) once they are indexed; queued like folds.
 */
async function ownerOnChangedBoard(
  past: PastBoards,
  id: string,
  game: string | null,
  instant: Instant,
): Promise<ScoreOwner | null> {
  if (game === null) return null
  const { deps, queue } = past
  const changed = (await boardsOf(deps.queries, game)).filter(
    ({ generation, state }) => generation > 1 && !state.archived,
  )
  if (changed.length === 0) return null
  const upTo = await deps.reached(game)
  if (upTo === null) return null
  const search = async (slices: TimeSlices) => {
    for (const board of changed) {
      const submissions = await past.submissionsTo(board, upTo, slices)
      const sent = await submissions.find(unopened(deps.queries.history), id)
      if (sent !== null) return { board, player: sent.meta.player ?? '', isShown: false }
    }
    return null
  }
  return queue.run(instant, 'past', search)
}

async function boardsOf({ views, viewKey }: QueryDeps, game: string): Promise<Board[]> {
  const find = { view: viewKey('leaderboards'), collection: 'leaderboards', index: 'game', equal: [game] }
  return (await views.find({ ...find, limit: Number.MAX_SAFE_INTEGER })).map((document) => asFolded(document) as Board)
}
