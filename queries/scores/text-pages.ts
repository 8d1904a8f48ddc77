// Pages by rank as JSON texts, from rankings that are an index of the documents. The texts of pages that are read often
// are cached, and each text is used until its entry changes.

import { mixed, textHash } from '../../domain/hash.ts'
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
type TextPages = (reader: Reader, query: ScoresQuery, ends?: RowEnds) => Promise<TextPage | null>

/**
 * How the rows of a page with rows end; null: the page is not answered as text. `sortKeys`: of its rows, which are
 * ranked from `offset` + 1 on; call it before any `await`.
 */
export type RowEnds = (sortKeys: () => readonly string[], offset: number) => Promise<RowEnd | null> | RowEnd | null

/** The JSON of a row after its rank, without the closing brace. `at`: its index in the page. */
type RowEnd = (rank: number, at: number) => string

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
  /** The JSON of each row of the stamp, up to its rank. */
  readonly beforeRanks: readonly string[]
}

export function createTextPages(maxCharacters: number): TextPages {
  const textsOf = createCache(maxCharacters)
  return async (reader, query, ends) => {
    const { key, rankings } = reader
    const { pages } = rankings
    if (pages === undefined || !isUnfilteredByRank(query)) return null
    const { around: player, limit, offset } = query
    try {
      if (player === null) {
        const page = pages.at(key, offset, limit)
        const text = textPage(page, textsOf(page, keyAt(key, offset, limit)), ends)
        return text instanceof Promise ? await text : text
      }
      const best = await reader.bestOf(player)
      if (best === null) return { scores: '[]', count: pages.at(key, 0, 0).size, offset: 0, own: null }
      const found = pages.around(key, best.member, limit)
      if (found === null) return null
      const texts = textsOf(found.page, keyOf(found.page.stamp))
      const text = textPage(found.page, texts, ends)
      const whole = text instanceof Promise ? await text : text
      return whole && { ...whole, own: { rank: found.rank + 1, id: best.id } }
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

/** A promise only if `ends` answers one: most pages cost none. */
function textPage(
  page: RankedPage,
  beforeRanks: readonly string[],
  ends?: RowEnds,
): TextPage | null | Promise<TextPage | null> {
  const { offset, size: count } = page
  const finished = (end?: RowEnd | null) =>
    end === null ? null : { scores: joined(beforeRanks, offset, end), count, offset }
  if (ends === undefined || beforeRanks.length === 0) return finished()
  const end = ends(() => page.values(SORT_KEY, page.stamp.rows).map(([sortKey]) => String(sortKey)), offset)
  return end instanceof Promise ? end.then(finished) : finished(end)
}

/** One array, because what it needs is prepared once. */
const SORT_KEY = ['member'] as const

/** The texts of a page's rows up to their ranks. Pages may share a key: their rows differ. */
type TextsOf = (page: RankedPage, key: number) => readonly string[]

/** Around a player: the first row and the number of rows, which stay where entries before them come and go. */
const keyOf = ({ rows }: PageStamp): number => (rows[0] ?? 0) * MAX_ROWS + rows.length

/** From a rank on: the place, which stays where its entries come and go. Negative, so no page around a player has it. */
const keyAt = (ranking: string, offset: number, limit: number): number =>
  -1 - mixed(textHash(ranking) ^ mixed(offset * MAX_ROWS + limit))

/** Caches the texts of a page the second time that its key is read, and takes those of unchanged rows from there. */
function createCache(maxCharacters: number): TextsOf {
  const cached = lruOfSize<number, CachedPage>(maxCharacters, ({ beforeRanks }) =>
    beforeRanks.reduce((sum, text) => sum + text.length + CHARACTERS_EACH, CHARACTERS_OF_PAGE),
  )
  const read = new SeenBefore()
  return ({ stamp, values }, key) => {
    const known = cached.get(key)
    const texts = known === undefined ? stamp.rows.map(() => null) : knownTexts(stamp, known)
    const missing = stamp.rows.filter((_, at) => texts[at] === null)
    if (missing.length === 0) return texts as string[]
    const found = values(ANSWERED_FIELDS, missing)
    let next = 0
    const beforeRanks = texts.map((text) => text ?? textBeforeRank(found[next++] ?? []))
    if (read.wasSeen(mixed(key))) cached.set(key, { stamp, beforeRanks })
    return beforeRanks
  }
}

/** Of each row of a page its text in a cached page; null where that has another document, or none. */
function knownTexts({ index, rows, changes }: PageStamp, { stamp, beforeRanks }: CachedPage): (string | null)[] {
  return rows.map((row, at) => {
    const then = stamp.rows[at] === row ? at : stamp.rows.indexOf(row)
    const isSame = then >= 0 && stamp.changes[then] === changes[at] && stamp.index === index
    return isSame ? (beforeRanks[then] ?? null) : null
  })
}

/** The JSON of the rows, with ranks from `offset` on. */
function joined(beforeRanks: readonly string[], offset: number, endOf?: RowEnd): string {
  if (beforeRanks.length === 0) return '[]'
  const parts: (string | number)[] = []
  let rank = offset
  for (const [at, text] of beforeRanks.entries()) {
    parts.push(at === 0 ? '[' : '},', text, ++rank)
    if (endOf !== undefined) parts.push(endOf(rank, at))
  }
  parts.push('}]')
  return parts.join('')
}
