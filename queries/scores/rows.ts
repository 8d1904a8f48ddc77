// Rows of a board as it stands now, by their places in its ranking, each from its document. Answered only where both agree.

import type { Rankings } from '../../stores/contract/rankings.ts'
import type { Find, Views } from '../../stores/contract/views.ts'
import type { Entry, Ranked } from './entry.ts'
import { notePage, pageRead } from './pages.ts'
import type { ScoresPage } from './query.ts'

/** What a board's reader (board.ts) has for it. */
interface Live {
  readonly key: string
  readonly deps: { readonly views: Views }
  find(find: Omit<Find, 'view' | 'collection'>): Promise<Entry[]>
  get(ids: readonly string[]): Promise<Entry[]>
  documentOf(entry: Entry): string
  bestOf(player: string): Promise<Entry | null>
}

/** Null where the documents are not those. */
export async function rowsAt(
  live: Live,
  rankings: Pick<Rankings, 'range'>,
  offset: number,
  limit: number,
): Promise<Ranked[] | null> {
  const members = await rankings.range(live.key, offset, limit)
  return entriesOf(live, members, offset)
}

/** The same around a player's best entry; none, and no own one, where they have none. */
export async function rowsAround(
  live: Live,
  rankings: Pick<Rankings, 'size' | 'around'>,
  player: string,
  limit: number,
): Promise<ScoresPage | null> {
  const best = await live.bestOf(player)
  if (best === null) return { rows: [], count: await rankings.size(live.key), offset: 0, own: null }
  const around = await rankings.around(live.key, best.member, limit)
  if (around === null) return null
  const rows = await entriesOf(live, around.members, around.offset)
  if (rows === null) return null
  return { rows, count: around.size, offset: around.offset, own: { entry: best, rank: around.rank + 1 } }
}

/** The entries of adjacent members, ranked from `offset`; null where the documents are not those. */
async function entriesOf(live: Live, members: readonly string[], offset: number): Promise<Ranked[] | null> {
  const [first] = members
  if (first === undefined) return []
  const { deps, key } = live
  const known = pageRead(deps.views, first, members.length)
  const held = known === null ? null : await live.get(known)
  if (held !== null && areThose(live, held, members)) return ranked(held, offset)
  const entries = await live.find({ index: 'rank', equal: [key], from: first, limit: members.length })
  if (!areThose(live, entries, members)) return null
  notePage(deps.views, first, () => entries.map(live.documentOf))
  return ranked(entries, offset)
}

function areThose({ key }: Live, entries: readonly Entry[], members: readonly string[]): boolean {
  const isThat = (entry: Entry, i: number) => entry.member === members[i] && entry.ranking === key
  return entries.length === members.length && entries.every(isThat)
}

function ranked(entries: readonly Entry[], offset: number): Ranked[] {
  return entries.map((entry, i) => ({ entry, rank: offset + i + 1 }))
}
