// The documents of one collection, live and rebuilt, page by page. Where they differ the live one is looked at again: it is
// right as of the event it took last, and that is where the rebuilt one is brought for it.

import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import type { Document, Views } from '../../stores/contract/views.ts'
import { type Projection, viewKey } from '../projection.ts'
import { type Difference, differencesOf, isSame } from './report.ts'
import type { VerifyContext } from './verify-context.ts'

const PAGE = 1_000
/** So many are looked at again together. */
const AGAIN_AT_ONCE = 500
/** A difference that is still there after so many looks, each at a later place of the log, is one. */
const LOOKS = 3

/** How many documents were compared, and what differs. */
export async function compareDocuments(
  verifying: VerifyContext,
  projection: Pick<Projection, 'name' | 'version' | 'build'>,
  collection: string,
): Promise<{ readonly documents: number; readonly differences: Difference[] }> {
  const { deps, beside, signal } = verifying
  const view = viewKey(projection)
  const differences: Difference[] = []
  let suspects: Suspect[] = []
  let documents = 0
  const settle = async () => {
    differences.push(...(await lookAgain(verifying, view, collection, suspects)))
    suspects = []
  }
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted()
    // The live ones last: they are then no older than what is beside them.
    const due = await beside.views.scan(view, collection, after, PAGE)
    const is = await deps.live.scan(view, collection, after, PAGE)
    const until = lastOfBoth(PAGE, is, due)
    const dueById = new Map(upToId(due, until).map((document) => [document.id, document]))
    for (const document of upToId(is, until)) {
      documents++
      if (!isSame(document, dueById.get(document.id) ?? null)) suspects.push({ id: document.id, live: document })
      dueById.delete(document.id)
    }
    for (const id of dueById.keys()) suspects.push({ id, live: null })
    verifying.compared(documents)
    if (suspects.length >= AGAIN_AT_ONCE) await settle()
    if (until === null) break
    after = until
    await yieldToEventLoop()
  }
  await settle()
  return { documents, differences }
}

/** The id up to which both pages tell of everything; null where both do to the end. */
export function lastOfBoth(limit: number, ...pages: readonly (readonly Document[])[]): string | null {
  const ends = pages.filter(({ length }) => length === limit).map((page) => page.at(-1)?.id ?? '')
  return ends.length === 0 ? null : ends.reduce((least, one) => (one < least ? one : least))
}

export const upToId = (page: readonly Document[], until: string | null): readonly Document[] =>
  until === null ? page : page.filter(({ id }) => id <= until)

/** A document that is not as the rebuilt one, as it was found in its place; null where there was none. */
interface Suspect {
  readonly id: string
  readonly live: Document | null
}

async function lookAgain(verifying: VerifyContext, view: string, collection: string, suspects: readonly Suspect[]) {
  const differences: Difference[] = []
  for (let from = 0; from < suspects.length; from += AGAIN_AT_ONCE) {
    let left: readonly Differing[] = suspects.slice(from, from + AGAIN_AT_ONCE).map((one) => ({ ...one, due: null }))
    for (let look = 0; look < LOOKS && left.length > 0; look++) {
      await verifying.live.meet()
      left = await stillDiffering(verifying, view, collection, left)
    }
    // What was brought along for single documents may stand before the live views by now.
    await verifying.live.meet()
    for (const { id, live, due } of left) differences.push(...differencesOf({ view, collection, id }, live, due))
  }
  return differences
}

/** By their ids, as they are by now; one that cannot be read is as it was found in its place. */
export async function foundAgain<One extends { readonly id: string }>(
  where: { readonly views: Pick<Views, 'get'>; readonly view: string; readonly collection: string },
  suspects: readonly One[],
  inItsPlace: (one: One) => Document | null,
): Promise<(Document | null)[]> {
  const { views, view, collection } = where
  const ids = suspects.map(({ id }) => id)
  try {
    return await views.get(view, collection, ids)
  } catch (why) {
    if (!(why instanceof SyntaxError)) throw why
    const [only] = suspects
    if (only !== undefined && suspects.length === 1) return [inItsPlace(only)]
  }
  const found: (Document | null)[] = []
  for (const one of suspects) found.push(...(await foundAgain(where, [one], inItsPlace)))
  return found
}

interface Differing extends Suspect {
  readonly due: Document | null
}

async function stillDiffering(
  { deps, beside, signal }: VerifyContext,
  view: string,
  collection: string,
  suspects: readonly Differing[],
): Promise<Differing[]> {
  const found = await foundAgain({ views: deps.live, view, collection }, suspects, ({ live }) => live)
  const all = suspects.map(({ id, live: before }, place) => {
    const now = found[place] ?? null
    // A lookup by id may answer from the store's cache: at one event, the stored row counts.
    return { id, live: now !== null && now.pos === before?.pos ? before : now }
  })
  // Those that have moved on since are compared last, each at the event that it took last.
  all.sort((a, b) => ((a.live?.pos ?? '') < (b.live?.pos ?? '') ? -1 : 1))
  const differing: Differing[] = []
  for (const { id, live } of all) {
    const pos = live?.pos ?? ''
    if (pos > beside.at) await beside.advance(({ position }) => position <= pos, signal)
    const [due = null] = await beside.views.get(view, collection, [id])
    if (!isSame(live, due)) differing.push({ id, live, due })
  }
  return differing
}
