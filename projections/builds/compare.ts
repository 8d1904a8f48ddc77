// Compares the active build of a view with a new build, document by document, while both apply the same events. After a
// failed write either build can be behind for a while, so documents may differ temporarily, or exist in one build only.
// A difference is real if both documents have the same last event, or if it stays after both builds have reached the
// head of the log that was read when it was seen.

import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import type { Document } from '../../stores/contract/views.ts'
import { type Projection, viewKey } from '../projection.ts'
import { lastOfBoth, readAgain, upToId } from '../verify/documents.ts'
import { collectionsOf, isParked } from '../verify/rebuilt-views.ts'
import { type Difference, differencesOf, isSame } from '../verify/report.ts'
import { haveReached, type ReachedDeps } from './have-reached.ts'
import type { Compared } from './state.ts'

const PAGE = 500
const MAX_CHECKS = 30
const CHECK_INTERVAL_MS = 100
/** A difference between documents with the same last event counts after this many checks. */
const CHECKS_AT_SAME_EVENT = 3
/**
 * Any other difference counts after both builds have reached the head of the log this many times without a change to
 * it. The first time excludes documents not yet created in one of them; the second time excludes documents not yet
 * deleted in one of them.
 */
const CHECKS_AT_HEAD = 2
const MAX_DIFFERENCES = 20

interface Suspect {
  readonly id: string
  readonly shown: Document | null
  readonly built: Document | null
  readonly met: number
}

/**
 * `parked`: number of streams that only the new build could not apply. Returns null if one build stayed behind the
 * other: compare again later.
 */
export async function compareBuilds(
  deps: ReachedDeps,
  pairs: readonly (readonly [shown: Projection, built: Projection])[],
  signal: AbortSignal,
  checkIntervalMs = CHECK_INTERVAL_MS,
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
        const differing = await settled(deps, keys, collection, suspects, { signal, checkIntervalMs })
        if (differing === null) return null
        for (const one of differing) {
          found++
          if (isParked(collection) && one.built !== null) parked++
          const place = { view: viewKey(shown), collection, id: one.id }
          if (differences.length < MAX_DIFFERENCES) differences.push(...differencesOf(place, one.shown, one.built))
        }
      }
    }
  }
  return { documents, found, differences: differences.slice(0, MAX_DIFFERENCES), parked }
}

interface Keys {
  readonly shown: string
  readonly built: string
}

async function* pagesOf({ views }: ReachedDeps, { shown, built }: Keys, collection: string, signal: AbortSignal) {
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted()
    const shownPage = await views.scan(shown, collection, after, PAGE)
    const builtPage = await views.scan(built, collection, after, PAGE)
    const until = lastOfBoth(PAGE, shownPage, builtPage)
    const builtById = new Map(upToId(builtPage, until).map((document) => [document.id, document]))
    const suspects: Suspect[] = []
    const page = upToId(shownPage, until)
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

/** The documents that really differ; null if some could not be decided. */
async function settled(
  deps: ReachedDeps,
  keys: Keys,
  collection: string,
  suspects: readonly Suspect[],
  { signal, checkIntervalMs }: { readonly signal: AbortSignal; readonly checkIntervalMs: number },
): Promise<readonly Suspect[] | null> {
  if (suspects.length === 0) return suspects
  let left = suspects
  let head = await deps.log.head()
  for (let check = 1; check <= MAX_CHECKS && left.length > 0; check++) {
    signal.throwIfAborted()
    await new Promise((wake) => setTimeout(wake, checkIntervalMs))
    // Check the checkpoints before reading the documents, so that the documents are no older.
    const met = await haveReached(deps, [keys.shown, keys.built], head)
    left = await stillDiffering(deps, keys, collection, left, met)
    if (check >= CHECKS_AT_SAME_EVENT && left.every(isReal)) return left
    if (met) head = await deps.log.head()
  }
  return left.length === 0 ? left : null
}

const isReal = ({ shown, built, met }: Suspect): boolean => shown?.pos === built?.pos || met >= CHECKS_AT_HEAD

async function stillDiffering(
  { views }: ReachedDeps,
  { shown, built }: Keys,
  collection: string,
  suspects: readonly Suspect[],
  met: boolean,
): Promise<readonly Suspect[]> {
  const shownPage = await readAgain({ views, view: shown, collection }, suspects, (one) => one.shown)
  const builtPage = await readAgain({ views, view: built, collection }, suspects, (one) => one.built)
  return suspects.flatMap((before, place) => {
    const now = {
      id: before.id,
      shown: preferScanned(shownPage[place], before.shown),
      built: preferScanned(builtPage[place], before.built),
    }
    if (isSame(now.shown, now.built)) return []
    const isUnchanged = now.shown?.pos === before.shown?.pos && now.built?.pos === before.built?.pos
    return [{ ...now, met: isUnchanged ? before.met + Number(met) : 0 }]
  })
}

/**
 * A lookup by id may return a cached copy. If it has the same last event as the document found by the scan, the scanned
 * one counts.
 */
const preferScanned = (now: Document | null = null, before: Document | null): Document | null =>
  now !== null && now.pos === before?.pos ? before : now
