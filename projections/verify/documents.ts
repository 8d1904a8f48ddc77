// Compares the documents of one collection, live and rebuilt, page by page. A document that differs is read again: a
// live document is right as of its last event, so the rebuilt views are brought to that event first.

import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { Document, Views } from '../../stores/contract/views.ts'
import { type Projection, viewKey } from '../projection.ts'
import { type Difference, differencesOf, isSame } from './report.ts'
import type { VerifyContext } from './verify-context.ts'

const PAGE = 1_000
/** Suspects that are checked again together. */
const RECHECKED_AT_ONCE = 500
/** A difference counts if it is still there after this many checks, each at a later position of the log. */
const MAX_CHECKS = 3

/** Returns the number of documents compared and the differences. */
export async function compareDocuments(
  context: VerifyContext,
  projection: Pick<Projection, 'name' | 'version' | 'build'>,
  collection: string,
): Promise<{ readonly documents: number; readonly differences: Difference[] }> {
  const { deps, rebuiltViews, signal } = context
  const view = viewKey(projection)
  const differences: Difference[] = []
  let suspects: Suspect[] = []
  let documents = 0
  const settle = async () => {
    differences.push(...(await checkAgain(context, view, collection, suspects)))
    suspects = []
  }
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted()
    // Read the live documents last, so that they are not older than the rebuilt ones.
    const rebuilt = await rebuiltViews.views.scan(view, collection, after, PAGE)
    const livePage = await deps.live.scan(view, collection, after, PAGE)
    const until = lastOfBoth(PAGE, livePage, rebuilt)
    const rebuiltById = new Map(upToId(rebuilt, until).map((document) => [document.id, document]))
    for (const document of upToId(livePage, until)) {
      documents++
      if (!isSame(document, rebuiltById.get(document.id) ?? null)) suspects.push({ id: document.id, live: document })
      rebuiltById.delete(document.id)
    }
    for (const id of rebuiltById.keys()) suspects.push({ id, live: null })
    context.compared(documents)
    if (suspects.length >= RECHECKED_AT_ONCE) await settle()
    if (until === null) break
    after = until
    await yieldToEventLoop()
  }
  await settle()
  return { documents, differences }
}

/** The id up to which both pages are complete; null if both reach the end. */
export function lastOfBoth(limit: number, ...pages: readonly (readonly Document[])[]): string | null {
  const ends = pages.filter(({ length }) => length === limit).map((page) => page.at(-1)?.id ?? '')
  return ends.length === 0 ? null : ends.reduce((least, one) => (one < least ? one : least))
}

export const upToId = (page: readonly Document[], until: string | null): readonly Document[] =>
  until === null ? page : page.filter(({ id }) => id <= until)

/** A live document that differs from the rebuilt one, as the scan found it; null if there was none. */
interface Suspect {
  readonly id: string
  readonly live: Document | null
}

async function checkAgain(context: VerifyContext, view: string, collection: string, suspects: readonly Suspect[]) {
  const differences: Difference[] = []
  for (let from = 0; from < suspects.length; from += RECHECKED_AT_ONCE) {
    let left: readonly Differing[] = suspects
      .slice(from, from + RECHECKED_AT_ONCE)
      .map((one) => ({ ...one, rebuilt: null }))
    for (let check = 0; check < MAX_CHECKS && left.length > 0; check++) {
      await context.live.align()
      left = await stillDiffering(context, view, collection, left)
    }
    // The rebuilt views may be ahead of the live ones after the checks of single documents.
    await context.live.align()
    for (const { id, live, rebuilt } of left)
      differences.push(...differencesOf({ view, collection, id }, live, rebuilt))
  }
  return differences
}

/** Reads the documents by their ids; one that cannot be parsed is taken as the scan found it. */
export async function readAgain<One extends { readonly id: string }>(
  where: { readonly views: Pick<Views, 'get'>; readonly view: string; readonly collection: string },
  suspects: readonly One[],
  asScanned: (one: One) => Document | null,
): Promise<(Document | null)[]> {
  const { views, view, collection } = where
  const ids = suspects.map(({ id }) => id)
  try {
    return await views.get(view, collection, ids)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const [only] = suspects
    if (only !== undefined && suspects.length === 1) return [asScanned(only)]
  }
  const found: (Document | null)[] = []
  for (const one of suspects) found.push(...(await readAgain(where, [one], asScanned)))
  return found
}

interface Differing extends Suspect {
  readonly rebuilt: Document | null
}

async function stillDiffering(
  { deps, rebuiltViews, signal }: VerifyContext,
  view: string,
  collection: string,
  suspects: readonly Differing[],
): Promise<Differing[]> {
  const found = await readAgain({ views: deps.live, view, collection }, suspects, ({ live }) => live)
  const all = suspects.map(({ id, live: before }, index) => {
    const now = found[index] ?? null
    // A lookup by id may return a cached copy. If it has the same last event as the document found by the scan, the
    // scanned one counts.
    return { id, live: now !== null && now.pos === before?.pos ? before : now }
  })
  // Documents that changed meanwhile are compared last, each at its last event.
  all.sort((a, b) => ((a.live?.pos ?? '') < (b.live?.pos ?? '') ? -1 : 1))
  const differing: Differing[] = []
  for (const { id, live } of all) {
    const pos = live?.pos ?? ''
    if (pos > rebuiltViews.at) await rebuiltViews.advance(({ position }) => position <= pos, signal)
    const [rebuilt = null] = await rebuiltViews.views.get(view, collection, [id])
    if (!isSame(live, rebuilt)) differing.push({ id, live, rebuilt })
  }
  return differing
}
