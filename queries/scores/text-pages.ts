// Pages by rank as JSON texts, from rankings that are an index of the documents. The texts of pages that are read often
// are cached until one of their entries changes.

import { mixed } from '../../domain/hash.ts'
import { lruOfSize, SeenBefore } from '../../runtime/lru.ts'
import type { PageStamp, RankedPage } from '../../stores/contract/rankings.ts'
import { refuseWhereLost } from './board.ts'
import { ANSWERED_FIELDS, textBeforeRank } from './entry.ts'
import type { ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'

/** A page of scores with the JSON of its rows. */
export interface TextPage {
  /** The JSON of the array of rows. */
  readonly scores: string
  readonly count: number
  readonly offset: number
  /** Only with `around`: the rank from 1 and the id of the player's best entry, or null if they have none. */
  readonly own?: { readonly rank: number; readonly id: string } | null | undefined
}

/**
 * The page of a query by rank without a window and filters. Null for another query, for rankings that are not an index
 * of the documents, and where the player's entry has just changed: `listRows` answers those. Throws 503
 * `rankings_filling`.
 */
type TextPages = (reader: Reader, query: ScoresQuery, endOf?: RowEnd) => Promise<TextPage | null>

/** The JSON of a row after its rank, without the closing brace. */
export type RowEnd = (rank: number) => string

/** Maximum characters of cached texts, including `CHARACTERS_EACH` for each entry. */
export const MAX_CACHED_PAGE_CHARACTERS = 8 * 2 ** 20
/** Counted for an entry in addition to its text. */
const CHARACTERS_EACH = 64
/** Counted for a page in addition to its entries. */
const CHARACTERS_OF_PAGE = 256
/** More rows than a page can have. */
const MAX_ROWS = 1_024

interface CachedPage {
  readonly stamp: PageStamp
  /** Of each row. */
  readonly beforeRanks: readonly string[]
}

export function createTextPages(maxCharacters: number): TextPages {
  const scoresOf = createCache(maxCharacters)
  return async (reader, query, endOf) => {
    const { key, rankings } = reader
    const { pages } = rankings
    if (pages === undefined || !isUnfilteredByRank(query)) return null
    const { around: player, limit, offset } = query
    try {
      if (player === null) return textPage(pages.at(key, offset, limit), scoresOf, endOf)
      const best = await reader.bestOf(player)
      if (best === null) return { scores: '[]', count: pages.at(key, 0, 0).size, offset: 0, own: null }
      const found = pages.around(key, best.member, limit)
      return found && { ...textPage(found.page, scoresOf, endOf), own: { rank: found.rank + 1, id: best.id } }
    } catch (error) {
      return refuseWhereLost(error)
    }
  }
}

const isUnfilteredByRank = ({
  around,
  order,
  since,
  until,
  playerName,
  minScore,
  maxScore,
  player,
}: ScoresQuery): boolean =>
  (around !== null || order === 'best') &&
  [since, until, playerName, minScore, maxScore, player].every((filter) => filter === null)

type ScoresOf = (page: RankedPage, endOf?: RowEnd) => string

const textPage = (page: RankedPage, scoresOf: ScoresOf, endOf?: RowEnd): TextPage => ({
  scores: scoresOf(page, endOf),
  count: page.size,
  offset: page.offset,
})

/** Returns the JSON of a page's rows, and caches it the second time that it is read unchanged. */
function createCache(maxCharacters: number): ScoresOf {
  const cached = lruOfSize<number, CachedPage>(maxCharacters, ({ beforeRanks }) =>
    beforeRanks.reduce((sum, text) => sum + text.length + CHARACTERS_EACH, CHARACTERS_OF_PAGE),
  )
  const read = new SeenBefore()
  return (page, endOf) => {
    const { stamp, offset } = page
    const key = keyOf(stamp)
    const known = cached.get(key)
    if (known !== undefined && areEqual(known.stamp, stamp)) return joined(known.beforeRanks, offset, endOf)
    const beforeRanks = page.values(ANSWERED_FIELDS).map(textBeforeRank)
    if (read.wasSeen(mixed(key ^ mixed(stamp.changes)))) cached.set(key, { stamp, beforeRanks })
    return joined(beforeRanks, offset, endOf)
  }
}

/** Of the first row and the number of rows. Pages may share it: their stamps differ. */
const keyOf = ({ rows }: PageStamp): number => (rows[0] ?? 0) * MAX_ROWS + rows.length

/** The JSON of the rows, with ranks from `offset` on. */
function joined(beforeRanks: readonly string[], offset: number, endOf?: RowEnd): string {
  if (beforeRanks.length === 0) return '[]'
  const parts: (string | number)[] = []
  let rank = offset
  for (const text of beforeRanks) {
    parts.push(rank === offset ? '[' : '},', text, ++rank)
    if (endOf !== undefined) parts.push(endOf(rank))
  }
  parts.push('}]')
  return parts.join('')
}

function areEqual(one: PageStamp, other: PageStamp): boolean {
  if (one.index !== other.index || one.changes !== other.changes || one.rows.length !== other.rows.length) return false
  for (let at = 0; at < one.rows.length; at++) if (one.rows[at] !== other.rows[at]) return false
  return true
}
