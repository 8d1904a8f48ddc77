// What is shown against what was built beside it, document by document, while both take the same events. After a write that broke
// off either may be behind the other for a while: then documents may differ in any way, or be in one of them alone. At one and the
// same event nothing may, nor once both have applied all that was recorded when the difference was seen, and it stands.

import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import type { Document } from '../../stores/contract/views.ts'
import { type Projection, viewKey } from '../projection.ts'
import { foundAgain, lastOfBoth, upToId } from '../verify/documents.ts'
import { collectionsOf, isParked } from '../verify/rebuilt-views.ts'
import { type Difference, differencesOf, isSame } from '../verify/report.ts'
import { haveReached, type ReachedDeps } from './have-reached.ts'
import type { Compared } from './state.ts'

const PAGE = 500
const LOOKS = 30
const LOOK_AGAIN_MS = 100
/** A difference that stands at one and the same event this often is one. */
const LOOKS_AT_REST = 3
/**
 * So is one that stands unchanged while both come so often to where the log ended: by the first time nothing is yet to be made in
 * either, by the second nothing that was deleted in one of them is still in the other.
 */
const TIMES_MET = 2
const TOLD_MAX = 20

interface Suspect {
  readonly id: string
  readonly shown: Document | null
  readonly built: Document | null
  readonly met: number
}

/** `parked`: streams that the new build alone could not apply. Null where one stayed behind the other: to be asked again later. */
export async function compareBuilds(
  deps: ReachedDeps,
  pairs: readonly (readonly [shown: Projection, built: Projection])[],
  signal: AbortSignal,
  lookAgainMs = LOOK_AGAIN_MS,
): Promise<(Compared & { readonly parked: number }) | null> {
  let documents = 0
  let found = 0
  let parked = 0
  const differences: Difference[] = []
  for (const [shown, built] of pairs) {
    const keys = { shown: viewKey(shown), built: viewKey(built) }
    for (const collection of collectionsOf(shown)) {
      for await (const { compared, suspects } of pagesOf(deps, keys, collection, signal)) {
        documents += compared
        const differing = await settled(deps, keys, collection, suspects, { signal, lookAgainMs })
        if (differing === null) return null
        for (const one of differing) {
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

async function* pagesOf({ views }: ReachedDeps, { shown, built }: Keys, collection: string, signal: AbortSignal) {
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
      if (!isSame(document, other)) suspects.push({ id: document.id, shown: document, built: other, met: 0 })
    }
    for (const [id, document] of builtById) suspects.push({ id, shown: null, built: document, met: 0 })
    yield { compared: page.length, suspects }
    if (until === null) return
    after = until
    await yieldToEventLoop()
  }
}

/** Those that differ; null where that cannot be said of all. */
async function settled(
  deps: ReachedDeps,
  keys: Keys,
  collection: string,
  suspects: readonly Suspect[],
  { signal, lookAgainMs }: { readonly signal: AbortSignal; readonly lookAgainMs: number },
): Promise<readonly Suspect[] | null> {
  if (suspects.length === 0) return suspects
  let left = suspects
  let head = await deps.log.head()
  for (let look = 1; look <= LOOKS && left.length > 0; look++) {
    signal.throwIfAborted()
    await new Promise((wake) => setTimeout(wake, lookAgainMs))
    // First this and then the documents, which are no older.
    const met = await haveReached(deps, [keys.shown, keys.built], head)
    left = await stillDiffering(deps, keys, collection, left, met)
    if (look >= LOOKS_AT_REST && left.every(isOne)) return left
    if (met) head = await deps.log.head()
  }
  return left.length === 0 ? left : null
}

const isOne = ({ shown, built, met }: Suspect): boolean => shown?.pos === built?.pos || met >= TIMES_MET

async function stillDiffering(
  { views }: ReachedDeps,
  { shown, built }: Keys,
  collection: string,
  suspects: readonly Suspect[],
  met: boolean,
): Promise<readonly Suspect[]> {
  const is = await foundAgain({ views, view: shown, collection }, suspects, (one) => one.shown)
  const due = await foundAgain({ views, view: built, collection }, suspects, (one) => one.built)
  return suspects.flatMap((before, place) => {
    const now = { id: before.id, shown: lies(is[place], before.shown), built: lies(due[place], before.built) }
    if (isSame(now.shown, now.built)) return []
    const stands = now.shown?.pos === before.shown?.pos && now.built?.pos === before.built?.pos
    return [{ ...now, met: stands ? before.met + Number(met) : 0 }]
  })
}

/** Found by its id it may come from the store's memory: as of one event, what was found in its place is what counts. */
const lies = (now: Document | null = null, before: Document | null): Document | null =>
  now !== null && now.pos === before?.pos ? before : now
