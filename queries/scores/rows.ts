// Reads a page of the current board. The ranking gives the order, and the entry documents give the content of the rows.
// Returns null if the two do not match; the caller then reads the page again.

import type { Rankings } from '../../stores/contract/rankings.ts'
import type { Entry, Ranked } from './entry.ts'
import { cachedPageIds, notePageRead } from './page-ids.ts'
import type { ScoresPage } from './query.ts'
import type { Reader } from './reader.ts'

/** At most `limit` rows after the first `offset`. Null if the documents do not match the ranking. */
export async function rowsAt(
  reader: Reader,
  rankings: Pick<Rankings, 'range'>,
  offset: number,
  limit: number,
): Promise<Ranked[] | null> {
  const members = await rankings.range(reader.key, offset, limit)
  return entriesOf(reader, members, offset)
}

/**
 * The page around a player's best entry. If the player has no entry, the page is empty and its `own` is null. Returns null
 * if the documents do not match the ranking.
 */
export async function rowsAround(
  reader: Reader,
  rankings: Pick<Rankings, 'size' | 'around'>,
  player: string,
  limit: number,
): Promise<ScoresPage | null> {
  const best = await reader.bestOf(player)
  if (best === null) return { rows: [], count: await rankings.size(reader.key), offset: 0, own: null }
  const around = await rankings.around(reader.key, best.member, limit)
  if (around === null) return null
  const rows = await entriesOf(reader, around.members, around.offset)
  if (rows === null) return null
  return { rows, count: around.size, offset: around.offset, own: { entry: best, rank: around.rank + 1 } }
}

/**
 * The entries with these sort keys, which are adjacent in the ranking. `offset`: the number of entries before the first.
 * Returns null if the documents do not match.
 */
async function entriesOf(reader: Reader, members: readonly string[], offset: number): Promise<Ranked[] | null> {
  const [first] = members
  if (first === undefined) return []
  const { deps, key } = reader
  const known = cachedPageIds(deps.views, first, members.length)
  const cached = known === null ? null : await reader.get(known)
  if (cached !== null && areSame(reader, cached, members)) return ranked(cached, offset)
  const entries = await reader.find({ index: 'rank', equal: [key], from: first, limit: members.length })
  if (!areSame(reader, entries, members)) return null
  notePageRead(deps.views, first, () => entries.map(reader.documentOf))
  return ranked(entries, offset)
}

function areSame({ key }: Reader, entries: readonly Entry[], members: readonly string[]): boolean {
  const isSame = (entry: Entry, i: number) => entry.member === members[i] && entry.ranking === key
  return entries.length === members.length && entries.every(isSame)
}

function ranked(entries: readonly Entry[], offset: number): Ranked[] {
  return entries.map((entry, i) => ({ entry, rank: offset + i + 1 }))
}
