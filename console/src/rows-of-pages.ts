// All rows of a list that the server answers in pages and does not search, for lists of bounded length.

export const PAGE_ROWS_MAX = 100
/** More rows are not read. A game has at most 10,000 leaderboards, and fewer of all else. */
export const ROWS_MAX = 10_000

export interface Paging {
  readonly limit: number
  readonly offset: number
}

/** Reads page after page; at most `most` rows. Ends early, with what it has, if `isOver`. */
export async function rowsOfPages<Row>(
  read: (paging: Paging) => Promise<Pick<ListPage<Row>, 'rows' | 'next_offset'>>,
  most = ROWS_MAX,
  isOver: () => boolean = () => false,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let offset: number | null = 0; offset !== null && rows.length < most && !isOver(); ) {
    const page: Pick<ListPage<Row>, 'rows' | 'next_offset'> = await read({ limit: PAGE_ROWS_MAX, offset })
    rows.push(...page.rows)
    offset = page.next_offset
  }
  return rows.slice(0, most)
}

/** Whether a text has all words of a search, in any order and case. */
export function matches(search: string, ...texts: readonly (string | null | undefined)[]): boolean {
  const all = texts
    .filter((text) => text != null)
    .join('\n')
    .toLocaleLowerCase()
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

/** A page of a list, as the server answers it or as a search makes it. */
export interface ListPage<Row> {
  readonly rows: readonly Row[]
  readonly count: number
  readonly offset: number
  readonly limit: number
  readonly next_offset: number | null
}

interface SearchedList<Row> {
  readonly search: string
  readonly offset: number
  readonly limit: number
  /** A page as the server answers it. */
  readonly read: (paging: Paging) => Promise<ListPage<Row>>
  /** The texts of a row that the search looks at. */
  readonly texts: (row: Row) => readonly (string | null)[]
}

/** A page of the rows with all words of a search. Without a search it costs one call, else one per 100 rows. */
export async function searchedPage<Row>(list: SearchedList<Row>): Promise<ListPage<Row>> {
  const { search, offset, limit, read, texts } = list
  if (search === '') return read({ limit, offset })
  const found = (await rowsOfPages(read)).filter((row) => matches(search, ...texts(row)))
  const next = offset + limit
  return {
    rows: found.slice(offset, next),
    count: found.length,
    offset,
    limit,
    next_offset: next < found.length ? next : null,
  }
}
