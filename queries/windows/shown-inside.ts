// `window=best` on a unique board: what each player's entry would show if only the submissions inside a window counted.
// It is computed from the player's stream on the board and their entry there. Its window index works as one of entries.

import { type Shown, shownOf, submissionsLeft } from '../../domain/entry.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { scoreStream } from '../../domain/score.ts'
import { entryDocument } from '../../ranking/key.ts'
import { SortKeyPacker } from '../../ranking/packed-sort-keys.ts'
import { sortKeyOf } from '../../ranking/sort-key.ts'
import { SortedBlocks } from '../../ranking/sorted-blocks.ts'
import { type FrozenWindow, freeze } from '../../ranking/window-state.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { Log } from '../../stores/contract/log.ts'
import { eventsFrom } from '../../stores/support/events-from.ts'
import { historyPages, unopened } from '../../stores/support/history-pages.ts'
import type { QueryDeps } from '../deps.ts'
import { asEntry, isShown } from '../scores/entry.ts'
import type { IndexedBoard, SubmissionWindow } from './indexed.ts'

/** Events and documents per read. */
const PAGE = 100
const SORT_KEYS = 1_000

export interface ShownDeps extends Pick<QueryDeps, 'history' | 'views' | 'viewKey'> {
  readonly log: Pick<Log, 'readStream'>
}

/** Whether a time is inside a half-open window. */
export const isTimeInside = ({ since, until }: Pick<SubmissionWindow, 'since' | 'until'>, time: string): boolean =>
  (since === null || time >= since) && (until === null || time < until)

/** A player's whole stream on a board. */
export async function streamOf(log: ShownDeps['log'], board: string, player: string): Promise<StoredEvent[]> {
  const all: StoredEvent[] = []
  for await (const event of eventsFrom(log, scoreStream(board, player), 0, PAGE)) all.push(event)
  return all
}

/** What a stream's submissions inside the window show; null if none of them counts. */
export function shownInside(stream: readonly StoredEvent[], window: SubmissionWindow): Shown | null {
  const inside = submissionsLeft(stream).filter(({ meta }) => isTimeInside(window, meta.time))
  return shownOf(window.rules, inside)
}

/** The sort key of what is shown, in the entry with this id. */
export function sortKeyOfShown({ event, values }: Shown, entryId: string, { rules }: SubmissionWindow): string {
  const { score, secondary } = values
  return sortKeyOf({ score, secondary, position: event.position, time: event.meta.time }, entryId, rules)
}

/**
 * Reads while the board changes: a player who changes meanwhile may appear in the old or the new state. First finds
 * the players with a submission inside the window in the board's history, then what each one's entry would show.
 * O(history), in time slices.
 */
export async function frozenShown(
  deps: ShownDeps,
  board: IndexedBoard,
  window: SubmissionWindow,
  signal: AbortSignal,
): Promise<FrozenWindow> {
  const slices = new TimeSlices(signal)
  const players = await playersInside(deps, board, window, slices)
  const ranked = new SortedBlocks()
  for (let from = 0; from < players.size; from += PAGE) {
    const page = players.range(from, PAGE)
    const ids = page.map((player) => entryDocument({ ...board, player, submission: '' }))
    const documents = await deps.views.get(deps.viewKey('entries'), 'entries', ids)
    for (const [i, document] of documents.entries()) {
      if (document === null || !isShown(document)) continue
      const sortKey = await sortKeyInside(deps, board, window, page[i] as string, asEntry(document))
      if (sortKey !== null) ranked.add(sortKey)
      if (slices.due) await slices.yield()
    }
    if (slices.due) await slices.yield()
  }
  const packer = new SortKeyPacker()
  for (let from = 0; from < ranked.size; from += SORT_KEYS) {
    for (const sortKey of ranked.range(from, SORT_KEYS)) packer.addText(sortKey)
    if (slices.due) await slices.yield()
  }
  return slices.result(freeze(packer))
}

/**
 * If the best or the latest submission of all, which the entry shows, is inside the window, it is so there too.
 * Otherwise, and for totals, reads the player's stream.
 */
async function sortKeyInside(
  { log }: ShownDeps,
  { board }: IndexedBoard,
  window: SubmissionWindow,
  player: string,
  entry: { readonly id: string; readonly member: string; readonly updated: string },
): Promise<string | null> {
  if (window.rules.keep !== 'total' && isTimeInside(window, entry.updated)) return entry.member
  const shown = shownInside(await streamOf(log, board, player), window)
  return shown === null ? null : sortKeyOfShown(shown, entry.id, window)
}

async function playersInside(
  { history }: ShownDeps,
  { board }: IndexedBoard,
  window: SubmissionWindow,
  slices: TimeSlices,
): Promise<SortedBlocks> {
  const players = new SortedBlocks()
  for await (const page of historyPages(unopened(history), { board }, { limit: PAGE }, () => slices.yield())) {
    for (const { type, meta } of page) {
      if (type === 'ScoreSubmitted' && isTimeInside(window, meta.time)) players.add(meta.player ?? '')
    }
  }
  return players
}
