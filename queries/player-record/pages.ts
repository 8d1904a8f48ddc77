// Documents of an index in pages: as much memory for a hundred thousand of them as for one page.

import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import type { Document, Find } from '../../stores/contract/views.ts'
import type { QueryDeps } from '../deps.ts'

/** Documents read at once: less than a millisecond where the store is in this process. */
const PAGE = 100

/** What is read: an index and the values of its leading fields; `rest` names its other fields. */
export interface Indexed extends Pick<Find, 'collection' | 'index' | 'equal'> {
  /** A view's name, which is also the name of its collections' view. */
  readonly view: string
  readonly rest: readonly string[]
}

/** Pages in the index's order, none of them empty. Each is read when the caller asks for it; `between` runs before each but the first. */
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
