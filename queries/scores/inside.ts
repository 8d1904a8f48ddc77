// Where an index of windows is asked, whatever is ranked in it.

import type { WindowIndex } from '../../ranking/window-index.ts'
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
  /** The entries of members, in their order; null where they are not there so. */
  entriesOf(members: readonly string[]): Promise<Entry[] | null>
  /** The first of a player's entries, without those outside, best first; `isAll` as to the whole board. */
  entriesOfPlayer(player: string): Promise<FirstEntries>
}

/** The rows of adjacent places; null where the index is moving. It is read at once, before anything is waited for. */
export async function rowsInside(inside: Inside, start: number, limit: number): Promise<Ranked[] | null> {
  const { index, since, until } = inside
  if (index.isMoving) return null
  const entries = await inside.entriesOf(index.range(start, limit, since, until))
  return entries?.map((entry, i) => ({ entry, rank: start + i + 1 })) ?? null
}

/** Null where the index is moving, or has another member for an entry. What else is asked of it in the same turn agrees with these. */
export function ranksInside({ index, since, until }: Inside, entries: readonly Entry[]): Ranked[] | null {
  if (index.isMoving) return null
  const ranked: Ranked[] = []
  for (const entry of entries) {
    if (index.memberOf(entry.id) !== entry.member) return null
    ranked.push({ entry, rank: index.before(entry.member, since, until) + 1 })
  }
  return ranked
}

/** Whether an entry was set inside the window. */
export const isSetInside = ({ updated }: Entry, { since, until }: Pick<ScoresQuery, 'since' | 'until'>): boolean =>
  (since === null || updated >= since) && (until === null || updated < until)

/**
 * A page of a window by its index; else why there is none: the board has no index, index and documents do not agree, or the player
 * has more entries than are read outside the work queue.
 */
export type IndexedPage = ScoresPage | 'unindexed' | 'moving' | 'long'
