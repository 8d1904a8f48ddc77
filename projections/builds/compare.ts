// What is shown against what was built beside it, document by document, while both take the same events in the same writes.
// A document that differs may just be written: it is looked at again, until both have the same event last.

import type { Document, Views } from '../../stores/contract/views.ts'
import { type Projection, viewKey } from '../projection.ts'
import { collectionsOf, isParked } from '../verify/beside.ts'
import { lastOfBoth, upToId } from '../verify/documents.ts'
import { type Difference, differencesOf, isSame } from '../verify/report.ts'
import type { Compared } from './state.ts'

const PAGE = 500
const LOOKS = 20
const LOOK_AGAIN_MS = 100
/** A difference that stands at one and the same event this often is one. */
const LOOKS_AT_REST = 3
const TOLD_MAX = 20

interface Suspect {
  readonly id: string
  readonly shown: Document | null
  readonly built: Document | null
}

/** `parked`: streams that the new build alone could not apply. */
export async function compareBuilds(
  views: Views,
  pairs: readonly (readonly [shown: Projection, built: Projection])[],
  signal: AbortSignal,
  lookAgainMs = LOOK_AGAIN_MS,
): Promise<Compared & { readonly parked: number }> {
  let documents = 0
  let found = 0
  let parked = 0
  const differences: Difference[] = []
  for (const [shown, built] of pairs) {
    const keys = { shown: viewKey(shown), built: viewKey(built) }
    for (const collection of collectionsOf(shown)) {
      for await (const { compared, suspects } of pagesOf(views, keys, collection, signal)) {
        documents += compared
        for (const one of await settled(views, keys, collection, suspects, { signal, lookAgainMs })) {
          found++
          if (isParked(collection) && one.built !== null) parked++
          const place = { view: viewKey(shown), collection, id: one.id }
          if (differences.length < TOLD_MAX) differences.push(...differencesOf(place, one.shown, one.built))
        }
      }
    }
  }
  return { documents, found, differences: differences.slice(0, TOLD_MAX), parked }
}

interface Keys {
  readonly shown: string
  readonly built: string
}

async function* pagesOf(views: Views, { shown, built }: Keys, collection: string, signal: AbortSignal) {
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted()
    const is = await views.scan(shown, collection, after, PAGE)
    const due = await views.scan(built, collection, after, PAGE)
    const until = lastOfBoth(PAGE, is, due)
    const builtById = new Map(upToId(due, until).map((document) => [document.id, document]))
    const suspects: Suspect[] = []
    const page = upToId(is, until)
    for (const document of page) {
      const other = builtById.get(document.id) ?? null
      builtById.delete(document.id)
      if (!isSame(document, other)) suspects.push({ id: document.id, shown: document, built: other })
    }
    for (const [id, document] of builtById) suspects.push({ id, shown: null, built: document })
    yield { compared: page.length, suspects }
    if (until === null) return
    after = until
    await new Promise((next) => setImmediate(next))
  }
}

async function settled(
  views: Views,
  { shown, built }: Keys,
  collection: string,
  suspects: readonly Suspect[],
  { signal, lookAgainMs }: { readonly signal: AbortSignal; readonly lookAgainMs: number },
): Promise<readonly Suspect[]> {
  let left = suspects
  for (let look = 0; look < LOOKS && left.length > 0; look++) {
    signal.throwIfAborted()
    await new Promise((wake) => setTimeout(wake, lookAgainMs))
    const ids = left.map(({ id }) => id)
    const [is, due] = [await views.get(shown, collection, ids), await views.get(built, collection, ids)]
    const before = left
    left = before.flatMap((one, place) => {
      const now = { id: one.id, shown: lies(is[place], one.shown), built: lies(due[place], one.built) }
      return isSame(now.shown, now.built) ? [] : [now]
    })
    const isAtRest = left.every((one) => one.shown?.pos === one.built?.pos)
    if (isAtRest && look + 1 >= LOOKS_AT_REST) break
  }
  return left
}

/** Found by its id it may come from the store's memory: as of one event, what was found in its place is what counts. */
const lies = (now: Document | null = null, before: Document | null): Document | null =>
  now !== null && now.pos === before?.pos ? before : now
