// Compares the active build of a view with a new build, document by document, while both apply the same events. After a
// failed write either build can be behind for a while, so documents may differ temporarily, or exist in one build only.
// A difference is real if both documents have the same last event, or if it stays after both builds have reached the
// head of the log that was read when it was seen.

import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
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
  readonly active: Document | null
  readonly built: Document | null
  readonly timesAtHead: number
}

/**
 * `parked`: number of streams that only the new build could not apply. Returns null if one build stayed behind the
 * other: compare again later.
 */
export async function compareBuilds(
  deps: ReachedDeps,
  pairs: readonly (readonly [active: Projection, built: Projection])[],
  signal: AbortSignal,
  checkIntervalMs = CHECK_INTERVAL_MS,
): Promise<(Compared & { readonly parked: number }) | null> {
  let documents = 0
  let found = 0
  let parked = 0
  const differences: Difference[] = []
  for (const [active, built] of pairs) {
    const keys = { active: viewKey(active), built: viewKey(built) }
    for (const collection of collectionsOf(active)) {
      for await (const { compared, suspects } of pagesOf(deps, keys, collection, signal)) {
        documents += compared
        const differing = await settled(deps, keys, collection, suspects, { signal, checkIntervalMs })
        if (differing === null) return null
        for (const one of differing) {
          found++
          if (isParked(collection) && one.built !== null) parked++
          const target = { view: viewKey(active), collection, id: one.id }
          if (differences.length < MAX_DIFFERENCES) differences.push(...differencesOf(target, one.active, one.built))
        }
      }
    }
  }
  return { documents, found, differences: differences.slice(0, MAX_DIFFERENCES), parked }
}

interface Keys {
  readonly active: string
  readonly built: string
}

async function* pagesOf({ views }: ReachedDeps, { active, built }: Keys, collection: string, signal: AbortSignal) {
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted()
    const activePage = await views.scan(active, collection, after, PAGE)
    const builtPage = await views.scan(built, collection, after, PAGE)
    const until = lastOfBoth(PAGE, activePage, builtPage)
    const builtById = new Map(upToId(builtPage, until).map((document) => [document.id, document]))
    const suspects: Suspect[] = []
    const page = upToId(activePage, until)
    for (const document of page) {
      const other = builtById.get(document.id) ?? null
      builtById.delete(document.id)
      if (!isSame(document, other)) suspects.push({ id: document.id, active: document, built: other, timesAtHead: 0 })
    }
    for (const [id, document] of builtById) suspects.push({ id, active: null, built: document, timesAtHead: 0 })
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
    const isAtHead = await haveReached(deps, [keys.active, keys.built], head)
    left = await stillDiffering(deps, keys, collection, left, isAtHead)
    if (check >= CHECKS_AT_SAME_EVENT && left.every(isReal)) return left
    if (isAtHead) head = await deps.log.head()
  }
  return left.length === 0 ? left : null
}

const isReal = ({ active, built, timesAtHead }: Suspect): boolean =>
  active?.pos === built?.pos || timesAtHead >= CHECKS_AT_HEAD

async function stillDiffering(
  { views }: ReachedDeps,
  { active, built }: Keys,
  collection: string,
  suspects: readonly Suspect[],
  isAtHead: boolean,
): Promise<readonly Suspect[]> {
  const activePage = await readAgain({ views, view: active, collection }, suspects, (one) => one.active)
  const builtPage = await readAgain({ views, view: built, collection }, suspects, (one) => one.built)
  return suspects.flatMap((before, index) => {
    const now = {
      id: before.id,
      active: preferScanned(activePage[index], before.active),
      built: preferScanned(builtPage[index], before.built),
    }
    if (isSame(now.active, now.built)) return []
    const isUnchanged = now.active?.pos === before.active?.pos && now.built?.pos === before.built?.pos
    return [{ ...now, timesAtHead: isUnchanged ? before.timesAtHead + Number(isAtHead) : 0 }]
  })
}

/**
 * A lookup by id may return a cached copy. If it has the same last event as the document found by the scan, the scanned
 * one counts.
 */
const preferScanned = (now: Document | null = null, before: Document | null): Document | null =>
  now !== null && now.pos === before?.pos ? before : now
