// Reads the documents of an index in pages, so that memory use does not depend on their number.

import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import type { Document, Find } from '../stores/contract/views.ts'
import type { QueryDeps } from './deps.ts'

/** Documents per read: less than a millisecond with a store in this process. */
const PAGE = 100

/** An index and the values of its leading fields; `rest` names its other fields. */
export interface Indexed extends Pick<Find, 'collection' | 'index' | 'equal' | 'reverse'> {
  /** The name of the view. */
  readonly view: string
  readonly rest: readonly string[]
}

/**
 * Non-empty pages in index order. Each is read when the caller asks for it; `between` runs before each but the first.
 */
export async function* documentPages(
  { views, viewKey }: Pick<QueryDeps, 'views' | 'viewKey'>,
  { view, rest, ...where }: Indexed,
  between: () => Promise<void> = yieldToEventLoop,
): AsyncGenerator<readonly Document[]> {
  const find = { ...where, view: viewKey(view), limit: PAGE }
  for (let from: Partial<Find> = {}; ; ) {
    const documents: Document[] = await views.find({ ...find, ...from })
    const last = documents.at(-1)
    if (last === undefined) return
    yield documents
    if (documents.length < PAGE) return
    const fields = rest.map((field) => (last.body[field] ?? null) as string | number | null)
    from = { behind: { fields, id: last.id } }
    await between()
  }
}
