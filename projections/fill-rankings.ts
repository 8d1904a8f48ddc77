// Rankings follow from the documents: where they begin empty (in process) or were lost (a Redis that was emptied), they are
// filled from them, before anything more is put into them. Each partition's are filled by themselves.

import type { Position } from '../domain/event.ts'
import { ALL_PARTITIONS } from '../domain/partition.ts'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts'
import type { Log } from '../stores/contract/log.ts'
import { type AllRankings, type FilledRanking, type Rankings, RankingsLost } from '../stores/contract/rankings.ts'
import type { Views } from '../stores/contract/views.ts'
import type { Applier } from './apply.ts'
import { type Projection, type Ranked, viewKey } from './projection.ts'

const PAGE = 5_000
const LOOK_FOR_RANKINGS_MS = 500
const LOOK_UNTIL_FILLED_MS = 20

export interface FillDeps {
  readonly log: Log
  readonly views: Views
  readonly rankings: AllRankings
  readonly installation: string
}

/** Applies the log to the views of these appliers, and writes them with their checkpoints, at least up to a position. */
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
 * Fills, in each of these partitions, what is not filled for this installation. Gives the rankings of them all, to be watched.
 *
 * Another process that still believes a partition its own may have put changes into what was lost, and write the documents
 * that go with them only now. So the fill begins first: no such put succeeds any more. Then the documents come to the end
 * that the log has by then, past all that was put before: what is written late is no longer newer. Only then are they read.
 */
export async function fillRankings(
  deps: FillDeps,
  appliers: readonly Applier[],
  partitions: readonly number[],
  catchUp: CatchUp,
): Promise<readonly Rankings[]> {
  const sets = setsOf(deps, appliers, partitions)
  const empty = await notFilled(deps, sets)
  if (empty.length > 0) {
    const fills = await Promise.all(
      empty.map(async (set) => [set, await set.rankings.beginFill(deps.installation)] as const),
    )
    const head = await deps.log.head()
    if (head !== null) await catchUp(head)
    const reached = await positionsOf(deps, empty)
    for (const [set, fill] of fills) await fill.finish(reached(set), everyRanking(deps, set))
  }
  return sets.map(({ rankings }) => rankings)
}

async function notFilled(deps: FillDeps, sets: readonly OwnSet[]): Promise<OwnSet[]> {
  const filled = await Promise.all(sets.map(({ rankings }) => rankings.isFilled(deps.installation)))
  const reached = await positionsOf(deps, sets)
  // Of documents that were thrown away, because their log was restored, no ranking may be left.
  return sets.filter((set, at) => filled[at] === false || reached(set) === null)
}

/**
 * Where nothing happens no write would tell that the rankings are gone: looking now and then ends the round, and the next
 * one fills them. `rankings` as `fillRankings` gave them. Gives what ends the looking.
 */
export function endWhenRankingsAreLost(rankings: readonly Rankings[], round: AbortController): () => void {
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    // A store that is away has not lost them: its answer tells, once it is back.
    const whole = await Promise.all(rankings.map((one) => one.stands().catch(() => true)))
    if (whole.includes(false)) round.abort()
    isLooking = false
  }
  const looking = setInterval(() => void look(), LOOK_FOR_RANKINGS_MS).unref()
  return () => clearInterval(looking)
}

/**
 * Resolves once the rankings of all these views are readable, whichever node fills them; or with the signal. Rejects if their
 * store fails.
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
    await new Promise((wake) => setTimeout(wake, LOOK_UNTIL_FILLED_MS))
  }
}

async function canBeRead(set: Rankings): Promise<boolean> {
  try {
    await set.size('')
    return true
  } catch (why) {
    if (why instanceof RankingsLost) return false
    throw why
  }
}

/** Tells of a set the position that all its documents have reached; null where there may be none. */
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
    const named = (await views.find(find)).map(({ body }) => body[ranked.key] as string)
    for (const key of named) yield { key, members: members(views, view, ranked, key) }
    if (named.length < PAGE) return
    after = named.at(-1)
  }
}

async function* members(views: Views, view: string, ranked: Ranked, key: string): AsyncIterable<string[]> {
  const { collection, index } = ranked
  for (let after: string | undefined; ; ) {
    const bound = after === undefined ? {} : { after }
    const documents = await views.find({ view, collection, index, equal: [key], ...bound, limit: PAGE })
    const page = documents.map(({ body }) => body[ranked.member] as string)
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    // Where this process serves others meanwhile, they have their turn.
    await yieldToEventLoop()
    after = page.at(-1)
  }
}
