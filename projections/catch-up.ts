// The start of a projection run: fills lost rankings and applies what the log has by now in large batches.

import type { Position, StoredEvent } from '../domain/event.ts'
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Rankings } from '../stores/contract/rankings.ts'
import type { Applier, ApplyDeps } from './applier.ts'
import {
  ahead,
  beyond,
  type Checkpoints,
  earliest,
  everywhere,
  move,
  type OwnedCheckpoints,
  reached,
  readCheckpoints,
} from './checkpoints.ts'
import { fillRankings } from './fill-rankings.ts'
import type { Progress } from './progress.ts'
import { viewSpec } from './projection.ts'
import { write } from './write.ts'

const CATCH_UP_BATCH = 4_000
/** While catching up, write when this many documents have changed. */
const CHANGED_MAX = 200_000

export interface CatchUpDeps extends ApplyDeps {
  readonly log: Log
  /** The id of the installation: rankings filled for another one count as lost. */
  readonly installation: string
  readonly progress: Progress
  /**
   * Called with the position after which the log is read next: when a run starts, and after it has caught up.
   * Everything up to there is applied in the owned partitions.
   */
  readsFrom?(from: Position | null): void
  /** Called after each write with the number of events in it and the last of them. */
  applied(events: number, last: StoredEvent): void
  /** Overrides the batch sizes with smaller ones, for use while requests are served. */
  readonly pace?: { readonly events: number; readonly changes: number }
  /** Called while history is applied, with the number of events read so far. */
  catchingUp(read: number): void
}

/**
 * Returns the checkpoints that the views have reached, and their rankings, so that the caller can watch them. Rejects
 * with the signal's reason. A crash at any point is safe: documents may be ahead of the stored checkpoint, and events
 * that are applied again do not change them a second time.
 */
export async function catchUp(
  deps: CatchUpDeps,
  appliers: readonly Applier[],
  owned: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<{ checkpoints: OwnedCheckpoints; rankings: readonly Rankings[] }> {
  const checkpoints = await readCheckpoints(deps.views, appliers, owned)
  deps.readsFrom?.(earliest(checkpoints))
  const isFresh = earliest(checkpoints) === null
  const history = (until: Position) => applyHistory(deps, checkpoints, until, signal)
  const rankings = await fillRankings(deps, appliers, [...owned], history)
  const head = await deps.log.head()
  if (head !== null) await history(head)
  // Prepare again: a store may defer the indexes of a new collection until it is filled.
  if (isFresh) for (const { projection } of appliers) await deps.views.prepare(viewSpec(projection))
  for (const applier of appliers) applier.onCaughtUp()
  deps.readsFrom?.(earliest(checkpoints))
  for (const [partition, position] of reached(checkpoints)) {
    if (position !== null) deps.progress.advance(partition, position)
  }
  return { checkpoints, rankings }
}

/** Events that are applied and written together. */
export interface EventBatch {
  readonly events: readonly StoredEvent[]
  /** Whether the first event triggers a replay in some view: everything before it must be written first. */
  readonly replays: boolean
}

/** Splits events into batches; every batch but the first begins with an event that triggers a replay. */
export function batchesOf(events: readonly StoredEvent[], appliers: Iterable<Applier>): readonly EventBatch[] {
  const triggers = new Set<string>()
  for (const { projection } of appliers) for (const type of projection.replays?.triggers ?? []) triggers.add(type)
  if (!events.some(({ type }) => triggers.has(type))) return [{ events, replays: false }]
  const batches: { readonly events: StoredEvent[]; readonly replays: boolean }[] = []
  for (const event of events) {
    const replays = triggers.has(event.type)
    const batch = batches.at(-1)
    if (batch === undefined || replays) batches.push({ events: [event], replays })
    else batch.events.push(event)
  }
  return batches
}

async function applyHistory(deps: CatchUpDeps, checkpoints: OwnedCheckpoints, until: Position, signal: AbortSignal) {
  const { owned, of } = checkpoints
  let written = 0
  let read = 0
  let hasReplayed = false
  let last: StoredEvent | undefined
  const isDue = () => {
    const appliers = [...of.keys()]
    // Weigh all appliers, even after one exceeds the limit: each is judged by what the others hold.
    if (appliers.map((applier) => applier.needsFlush()).includes(true)) return true
    const changed = appliers.reduce((sum, applier) => sum + applier.changed(), 0)
    return changed >= Math.min(deps.pace?.changes ?? CHANGED_MAX, deps.rankings.putMax)
  }
  const writeAll = async () => {
    if (last === undefined || read === written) return
    await writeReached(deps, checkpoints, everywhere(last, owned), hasReplayed)
    deps.applied(read - written, last)
    written = read
    hasReplayed = false
  }
  for (let after = earliest(checkpoints); after === null || after < until; after = last?.position ?? null) {
    const events = await deps.log.readAll(after, deps.pace?.events ?? CATCH_UP_BATCH)
    // Awaiting resolved promises does not yield to the event loop.
    if (deps.pace !== undefined) await yieldToEventLoop()
    signal.throwIfAborted()
    if (events.length === 0) return
    for (const { events: batch, replays } of batchesOf(events, of.keys())) {
      if (replays) await writeAll()
      hasReplayed ||= replays
      for (const [applier, own] of of) await applier.apply(beyond(batch, own, owned), signal)
      read += batch.length
      last = batch.at(-1)
      signal.throwIfAborted()
    }
    if (isDue() || (last?.position ?? '') >= until) await writeAll()
    deps.catchingUp(read)
  }
}

/**
 * Writes the changes of all views with the checkpoints that they reached, and wakes those who wait for these positions.
 * Views that replay are written first: other views refer to their documents, and a reader must not find a reference to
 * a missing document.
 */
export async function writeReached(
  deps: CatchUpDeps,
  { of }: OwnedCheckpoints,
  moved: Checkpoints,
  hasReplayed: boolean,
): Promise<void> {
  const all = [...of]
  const isFirst = ([{ projection }]: (typeof all)[number]) => projection.replays !== undefined
  const taken = (some: typeof all) => some.map(([applier, own]) => applier.take(ahead(own, moved)))
  if (hasReplayed) await write(deps, ...taken(all.filter(isFirst)))
  await write(deps, ...taken(hasReplayed ? all.filter((one) => !isFirst(one)) : all))
  for (const own of of.values()) move(own, moved)
  for (const [partition, checkpoint] of moved) deps.progress.advance(partition, checkpoint.position)
}
