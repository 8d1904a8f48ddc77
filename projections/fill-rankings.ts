// Fills rankings from the documents. They are derived data: in a process they start empty, unless they are an index of
// the documents, and a Redis can lose them.
// They are filled per partition, before any further change is put into them.

import type { Position } from '../domain/event.ts'
import { ALL_PARTITIONS } from '../domain/partition.ts'
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import type { Log } from '../stores/contract/log.ts'
import { type AllRankings, type FilledRanking, type Rankings, RankingsLost } from '../stores/contract/rankings.ts'
import type { Views } from '../stores/contract/views.ts'
import type { Applier } from './applier.ts'
import { type Projection, type Ranked, viewKey } from './projection.ts'

const PAGE = 5_000
const CHECK_RANKINGS_EVERY_MS = 500
const CHECK_FILLED_EVERY_MS = 20

export interface FillDeps {
  readonly log: Log
  readonly views: Views
  readonly rankings: AllRankings
  readonly installation: string
}

/** Applies the log to the views of these appliers and writes them with their checkpoints, at least up to a position. */
export type CatchUp = (until: Position) => Promise<void>

/** The rankings of one view in one partition. */
interface OwnSet {
  readonly view: string
  readonly ranked: Ranked
  readonly partition: number
  readonly rankings: Rankings
}

function setsOf({ rankings }: FillDeps, appliers: readonly Applier[], partitions: readonly number[]): OwnSet[] {
  return appliers.flatMap(({ projection }) => {
    const { ranked } = projection
    if (ranked === undefined) return []
    const view = viewKey(projection)
    return partitions.map((partition) => ({ view, ranked, partition, rankings: rankings.of(view, partition) }))
  })
}

/**
 * Fills, in these partitions, the rankings that are not filled for this installation. Returns all their rankings, so
 * that the caller can watch them.
 * Another process that still believes it owns a partition may have put changes into the lost rankings, and may write
 * the matching documents only now. So the fill begins first: from then on such a put fails. Then the documents are
 * brought to the current head of the log, past everything that was put before, so that a late write is not newer. Only
 * then are the documents read.
 */
export async function fillRankings(
  deps: FillDeps,
  appliers: readonly Applier[],
  partitions: readonly number[],
  catchUp: CatchUp,
): Promise<readonly Rankings[]> {
  const sets = setsOf(deps, appliers, partitions)
  const unfilled = await notFilled(deps, sets)
  if (unfilled.length > 0) {
    const fills = await Promise.all(
      unfilled.map(async (set) => [set, await set.rankings.beginFill(deps.installation)] as const),
    )
    const head = await deps.log.head()
    if (head !== null) await catchUp(head)
    const reached = await positionsOf(deps, unfilled)
    for (const [set, fill] of fills) await fill.finish(reached(set), everyRanking(deps, set))
  }
  return sets.map(({ rankings }) => rankings)
}

async function notFilled(deps: FillDeps, sets: readonly OwnSet[]): Promise<OwnSet[]> {
  const filled = await Promise.all(sets.map(({ rankings }) => rankings.isFilled(deps.installation)))
  const reached = await positionsOf(deps, sets)
  // No checkpoint: the documents were dropped, for instance after the log was restored, so the ranking must not survive
  // either.
  return sets.filter((set, at) => filled[at] === false || reached(set) === null)
}

/**
 * Polls whether the rankings still exist and aborts the run if they are lost; the next run fills them. Without new
 * events no write would notice. `rankings` as returned by `fillRankings`. Polls until the signal aborts, also where the
 * run waits for a store that never answers.
 */
export function endWhenRankingsAreLost(rankings: readonly Rankings[], run: AbortController, signal: AbortSignal): void {
  if (signal.aborted) return
  let isPolling = false
  const poll = async () => {
    if (isPolling) return
    isPolling = true
    // A store that is unavailable may still have them: it is asked again with the next poll.
    const areCurrent = await Promise.all(rankings.map((one) => one.isCurrent().catch(() => true)))
    if (areCurrent.includes(false)) run.abort()
    isPolling = false
  }
  const timer = setInterval(() => void poll(), CHECK_RANKINGS_EVERY_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}

/**
 * Resolves once the rankings of all these views can be read, no matter which node fills them, or when the signal
 * aborts. Rejects if their store fails.
 */
export async function untilFilled(
  rankings: AllRankings,
  projections: readonly Projection[],
  signal: AbortSignal,
): Promise<void> {
  const views = projections.filter(({ ranked }) => ranked !== undefined).map(viewKey)
  let missing = views.flatMap((view) => ALL_PARTITIONS.map((partition) => rankings.of(view, partition)))
  while (!signal.aborted) {
    const filled = await Promise.all(missing.map(canBeRead))
    missing = missing.filter((_, at) => filled[at] === false)
    if (missing.length === 0) return
    await new Promise((wake) => setTimeout(wake, CHECK_FILLED_EVERY_MS))
  }
}

async function canBeRead(set: Rankings): Promise<boolean> {
  try {
    await set.size('')
    return true
  } catch (error) {
    if (error instanceof RankingsLost) return false
    throw error
  }
}

/** Returns a lookup of the position that all documents of a set have reached; null if there may be none. */
async function positionsOf({ views }: FillDeps, sets: readonly OwnSet[]): Promise<(set: OwnSet) => Position | null> {
  const keys = [...new Set(sets.map(({ view }) => view))]
  const checkpoints = new Map(await Promise.all(keys.map(async (key) => [key, await views.checkpoints(key)] as const)))
  return ({ view, partition }) => checkpoints.get(view)?.get(partition)?.position ?? null
}

async function* everyRanking({ views }: FillDeps, { view, ranked, partition }: OwnSet): AsyncIterable<FilledRanking> {
  const { keys, byPartition } = ranked
  for (let after: string | undefined; ; ) {
    const bound = after === undefined ? {} : { after }
    const find = { view, collection: keys, index: byPartition, equal: [partition], ...bound, limit: PAGE }
    const rankingKeys = (await views.find(find)).map(({ body }) => body[ranked.key] as string)
    for (const key of rankingKeys) yield { key, sortKeys: sortKeys(views, view, ranked, key) }
    if (rankingKeys.length < PAGE) return
    after = rankingKeys.at(-1)
  }
}

async function* sortKeys(views: Views, view: string, ranked: Ranked, key: string): AsyncIterable<string[]> {
  const { collection, index } = ranked
  for (let after: string | undefined; ; ) {
    const bound = after === undefined ? {} : { after }
    const documents = await views.find({ view, collection, index, equal: [key], ...bound, limit: PAGE })
    const page = documents.map(({ body }) => body[ranked.sortKey] as string)
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    // Let pending requests run.
    await yieldToEventLoop()
    after = page.at(-1)
  }
}
