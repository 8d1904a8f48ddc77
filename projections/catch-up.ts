// The beginning of a round of the runner: lost rankings are filled, and what the log has by now is applied in large steps.

import type { Position, StoredEvent } from '../domain/event.ts'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Rankings } from '../stores/contract/rankings.ts'
import type { Applier, ApplyDeps } from './apply.ts'
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
/** While catching up, documents are written when this many have changed. */
const CHANGED_MAX = 200_000

export interface CatchUpDeps extends ApplyDeps {
  readonly log: Log
  /** Names the installation: rankings that were filled for another one count as lost. */
  readonly installation: string
  readonly progress: Progress
  /** Told at the beginning of each round: from where on the log is read, all before being applied in what is held then. */
  stands?(from: Position | null): void
  /** Told after each write: how many events came with it, and the last of them. */
  applied(events: number, last: StoredEvent): void
  /** In place of the large steps: small ones, where others are served meanwhile. */
  readonly pace?: { readonly events: number; readonly changes: number }
  /** Told while history is applied: how many events were read so far. */
  catchingUp(read: number): void
}

/**
 * Gives where the views then stand, and their rankings, to be watched. Rejects with the signal; a crash at any point leaves
 * what was written with its checkpoint, and it may be some documents that are further than that: the events behind the
 * checkpoint come again, and do not change those once more.
 */
export async function catchUp(
  deps: CatchUpDeps,
  appliers: readonly Applier[],
  held: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<{ checkpoints: OwnedCheckpoints; rankings: readonly Rankings[] }> {
  const checkpoints = await readCheckpoints(deps.views, appliers, held)
  deps.stands?.(earliest(checkpoints))
  const isFresh = earliest(checkpoints) === null
  const history = (until: Position) => applyHistory(deps, checkpoints, until, signal)
  const rankings = await fillRankings(deps, appliers, [...held], history)
  const head = await deps.log.head()
  if (head !== null) await history(head)
  // Now for the indexes, which a store may have put off until its new collections are filled.
  if (isFresh) for (const { projection } of appliers) await deps.views.prepare(viewSpec(projection))
  deps.stands?.(earliest(checkpoints))
  for (const [partition, position] of reached(checkpoints)) {
    if (position !== null) deps.progress.advance(partition, position)
  }
  return { checkpoints, rankings }
}

/** Events that are applied and written together. */
export interface EventBatch {
  readonly events: readonly StoredEvent[]
  /** Whether the first of them has history replayed by some view: what is before it is to be written first. */
  readonly replays: boolean
}

/** Cuts events into pieces of which each but the first replays. */
export function batchesOf(events: readonly StoredEvent[], appliers: Iterable<Applier>): readonly EventBatch[] {
  const asks = new Set<string>()
  for (const { projection } of appliers) for (const type of projection.replays?.triggers ?? []) asks.add(type)
  if (!events.some(({ type }) => asks.has(type))) return [{ events, replays: false }]
  const pieces: { readonly events: StoredEvent[]; readonly replays: boolean }[] = []
  for (const event of events) {
    const replays = asks.has(event.type)
    const piece = pieces.at(-1)
    if (piece === undefined || replays) pieces.push({ events: [event], replays })
    else piece.events.push(event)
  }
  return pieces
}

async function applyHistory(deps: CatchUpDeps, checkpoints: OwnedCheckpoints, until: Position, signal: AbortSignal) {
  const { held, of } = checkpoints
  let written = 0
  let read = 0
  let hasReplayed = false
  let last: StoredEvent | undefined
  const isDue = () => {
    const appliers = [...of.keys()]
    // All of them are weighed, also after one that is too heavy: each is by what the others were found to hold.
    if (appliers.map((applier) => applier.needsFlush()).includes(true)) return true
    const changed = appliers.reduce((sum, applier) => sum + applier.changed(), 0)
    return changed >= Math.min(deps.pace?.changes ?? CHANGED_MAX, deps.rankings.putMax)
  }
  const writeAll = async () => {
    if (last === undefined || read === written) return
    await writeReached(deps, checkpoints, everywhere(last, held), hasReplayed)
    deps.applied(read - written, last)
    written = read
    hasReplayed = false
  }
  for (let after = earliest(checkpoints); after === null || after < until; after = last?.position ?? null) {
    const events = await deps.log.readAll(after, deps.pace?.events ?? CATCH_UP_BATCH)
    // Promises alone never let the event loop turn.
    if (deps.pace !== undefined) await yieldToEventLoop()
    signal.throwIfAborted()
    if (events.length === 0) return
    for (const { events: piece, replays } of batchesOf(events, of.keys())) {
      if (replays) await writeAll()
      hasReplayed ||= replays
      for (const [applier, own] of of) await applier.apply(beyond(piece, own, held), signal)
      read += piece.length
      last = piece.at(-1)
      signal.throwIfAborted()
    }
    if (isDue() || (last?.position ?? '') >= until) await writeAll()
    deps.catchingUp(read)
  }
}

/**
 * Writes what the views have changed, with the checkpoints that they have come to, and wakes who waits for those. Those that
 * replay are written before the others, which tell of what they made: no reader is sent to what is not there yet.
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
