// GET scores: a page of a leaderboard in any order, inside a window, narrowed by filters, of one player, or around one.
// Ranks, pages, score bounds and indexed windows are answered by searches. Whatever has to go through entries one by one
// is queued, and done in slices.

import type { QueryDeps } from '../deps.ts'
import type { Board } from '../leaderboard.ts'
import { type Heavy, unqueued } from '../work-queue.ts'
import { agreed, readerOf, refuseWhereLost } from './board.ts'
import { farPage, isFarByTime } from './by-time.ts'
import { indexedWindow } from './indexed-window.ts'
import { narrowed } from './narrowed.ts'
import { ofPlayer } from './of-player.ts'
import { byDocuments, plainPage } from './plain.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'
import { bestPage } from './window.ts'

/** A list of all of a board, in no window. */
export const UNFILTERED = {
  since: null,
  until: null,
  bestInside: false,
  playerName: null,
  minScore: null,
  maxScore: null,
  player: null,
  around: null,
} satisfies Partial<ScoresQuery>

/** `heavy` runs what goes through entries; left out, for callers that bound what they ask for, it waits for nobody. */
export function listScores(
  deps: QueryDeps,
  board: Board,
  query: ScoresQuery,
  heavy: Heavy = unqueued,
): Promise<ScoresPage> {
  return listFrom(readerOf(deps, board), query, heavy)
}

export async function listFrom(reader: Reader, query: ScoresQuery, heavy: Heavy = unqueued): Promise<ScoresPage> {
  const found = await pageFrom(reader, query, heavy)
  return reader.whole === undefined ? found : { ...found, rows: await reader.whole(found.rows) }
}

function pageFrom(reader: Reader, query: ScoresQuery, heavy: Heavy): Promise<ScoresPage> {
  if (query.since !== null || query.until !== null) return windowPage(reader, query, heavy)
  if (query.player !== null) return ofPlayer(reader, query.player, query, heavy)
  const isBounded = query.minScore !== null || query.maxScore !== null
  const isByTime = query.around === null && (query.order === 'newest' || query.order === 'oldest')
  if (query.playerName !== null || (isBounded && isByTime)) {
    return heavy((slices) => narrowed(reader, query, slices).catch(refuseWhereLost))
  }
  if (isByTime && isFarByTime(reader, query)) {
    return heavy((slices) => farPage(reader, query, slices).catch(refuseWhereLost))
  }
  return agreed(
    () => plainPage(reader, query),
    () => byDocuments(reader, query),
  )
}

/** Ranks inside a window are counted among its entries, then filters say which of them are answered. */
async function windowPage(reader: Reader, query: ScoresQuery, heavy: Heavy): Promise<ScoresPage> {
  const isFiltered = query.playerName !== null || query.minScore !== null || query.maxScore !== null
  const indexed = (queue: Heavy) => (isFiltered ? null : indexedWindow(reader, query, queue).catch(refuseWhereLost))
  // On a board that is not unique the best of a window is what each of its windows is.
  if (query.bestInside && reader.rules.unique) {
    // What is in the queue must not wait for it again.
    return heavy(
      async (slices) => (await indexed((work) => work(slices))) ?? (await bestPage(reader, query, slices)),
      'past',
    )
  }
  return (await indexed(heavy)) ?? heavy((slices) => narrowed(reader, query, slices).catch(refuseWhereLost))
}
