// Reads of a window through its index, which ranks entries, or what submissions inside it show.

import type { WindowIndex } from '../../ranking/window-index.ts'
import { isTimeInside } from '../windows/shown-inside.ts'
import type { FirstEntries } from './entries-of-player.ts'
import type { Entry, Ranked } from './entry.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'

export interface Inside {
  readonly reader: Reader
  readonly index: WindowIndex
  /** Unix milliseconds. */
  readonly since: number
  readonly until: number
  /** The entries with these sort keys, in their order; null if a document does not match. */
  entriesOf(sortKeys: readonly string[]): Promise<Entry[] | null>
  /**
   * The first of a player's entries that are inside the window, best first; `isAll`: whether all of the player's
   * entries on the board were read.
   */
  entriesOfPlayer(player: string): Promise<FirstEntries>
}

/**
 * The rows of a range of ranks; null while the index is being updated. The index is read synchronously, before any
 * await.
 */
export async function rowsInside(inside: Inside, start: number, limit: number): Promise<Ranked[] | null> {
  const { index, since, until } = inside
  if (index.isMoving) return null
  const entries = await inside.entriesOf(index.range(start, limit, since, until))
  return entries?.map((entry, i) => ({ entry, rank: start + i + 1 })) ?? null
}

/**
 * Ranks entries by the index; null while the index is being updated, or if it has another sort key for an entry. Other
 * values read from it in the same turn of the event loop agree with the ranks.
 */
export function ranksInside({ index, since, until }: Inside, entries: readonly Entry[]): Ranked[] | null {
  if (index.isMoving) return null
  const ranked: Ranked[] = []
  for (const entry of entries) {
    if (index.sortKeyOf(entry.id) !== entry.member) return null
    ranked.push({ entry, rank: index.before(entry.member, since, until) + 1 })
  }
  return ranked
}

/** Whether an entry was set inside the window. */
export const isSetInside = ({ updated }: Entry, window: Pick<ScoresQuery, 'since' | 'until'>): boolean =>
  isTimeInside(window, updated)

/**
 * A page from the window index, or why there is none: the board has no index ('unindexed'), index and documents do not
 * agree ('moving'), or the player has more entries than are read outside the work queue ('long').
 */
export type IndexedPage = ScoresPage | 'unindexed' | 'moving' | 'long'
