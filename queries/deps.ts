// The dependencies of queries, created by server/start.ts and server/compose.ts, and helpers for lists and aggregate
// views.

import type { JsonObject } from '../domain/event.ts'
import type { History } from '../stores/contract/history.ts'
import type { AllRankings } from '../stores/contract/rankings.ts'
import type { Document, Freshness, Views } from '../stores/contract/views.ts'
import type { IndexedWindows } from './windows/indexed.ts'

export interface QueryDeps {
  readonly history: History
  readonly views: Views
  readonly rankings: AllRankings
  /** If left out, windows are counted entry by entry. */
  readonly windows?: IndexedWindows
  /** Name of a view -> its key at the version of this program. */
  viewKey(name: string): string
}

/** A page of a list. */
export interface Paging {
  readonly limit: number
  readonly offset: number
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly count: number
  /** The offset of the first row after the page, if the page may be shorter than its limit. */
  readonly next?: number
}

/** `{<plural>, count, offset, limit, next_offset}`. */
export function listAnswer<Plural extends string, Row>(plural: Plural, page: Page<Row>, { limit, offset }: Paging) {
  const next = page.next ?? offset + limit
  const nextOffset = next < page.count ? next : null
  const rows = { [plural]: page.rows } as { [P in Plural]: readonly Row[] }
  return { ...rows, count: page.count, offset, limit, next_offset: nextOffset }
}

/** A document of an aggregate view (projections/aggregate-view.ts): its id, game and state. */
export interface Folded<State> {
  readonly id: string
  readonly game: string | null
  readonly state: State
}

export async function folded<State>(
  { views, viewKey }: QueryDeps,
  view: string,
  id: string,
  freshness: Freshness = 'now',
): Promise<Folded<State> | null> {
  const [document = null] = await views.current(viewKey(view), view, [id], freshness)
  return document === null ? null : asFolded<State>(document)
}

/** Many of them, in the order of their ids, with as many calls of a store as for one. */
export async function foldedAll<State>(
  { views, viewKey }: QueryDeps,
  view: string,
  ids: readonly string[],
  freshness: Freshness = 'now',
): Promise<(Folded<State> | null)[]> {
  const documents = await views.current(viewKey(view), view, ids, freshness)
  return documents.map((document) => (document === null ? null : asFolded<State>(document)))
}

/** A page of such documents by index. O(offset + limit), and O(n) for the count. */
export async function foldedPage<State>(
  deps: QueryDeps,
  view: string,
  where: { readonly index: string; readonly equal: readonly (string | number)[] },
  { limit, offset }: Paging,
): Promise<Page<Folded<State>>> {
  const find = { view: deps.viewKey(view), collection: view, ...where }
  const [documents, count] = await Promise.all([
    deps.views.find({ ...find, skip: offset, limit }),
    deps.views.count({ ...find, limit: Number.MAX_SAFE_INTEGER }),
  ])
  return { rows: documents.map((document) => asFolded<State>(document)), count }
}

export function asFolded<State>({ body }: Document): Folded<State> {
  const stored: JsonObject = body
  return stored as JsonObject & Folded<State>
}
