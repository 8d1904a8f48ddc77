// The runner: one subscription to the log, all views of this process, in log order. After each batch the rankings, the
// documents and the checkpoints are written, in that order, and whoever waits for the batch's positions is woken.

import type { Position, StoredEvent } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'
import { PARTITIONS, partitionOf } from '../stores/contract/partition.ts'
import type { Checkpoint } from '../stores/contract/views.ts'
import { type Applier, type ApplyDeps, write } from './apply.ts'
import type { Progress } from './progress.ts'
import { viewKey } from './projection.ts'

const LIVE_BATCH = 1_000
const CATCH_UP_BATCH = 4_000
/** While catching up, documents are written when this many have changed. */
const CHANGED_MAX = 200_000
const REOPEN_AFTER_MS = 200
/** The checkpoints of partitions where nothing happens are moved along at least after this many events. */
const IDLE_CHECKPOINT_EVERY = 10_000

export interface RunDeps extends ApplyDeps {
  readonly log: Log
  readonly progress: Progress
  /** Told when the subscription broke, or a write failed, and it is opened again from the last checkpoint. */
  reopening(why: unknown): void
  /** Told after each batch that was written. */
  applied(events: number, last: StoredEvent): void
}

/** Where each partition stands, the same for all views of one runner. */
export type Checkpoints = Map<number, Checkpoint>

/** Applies the log to the views until the signal aborts, reopening from the last checkpoint after every failure. */
export async function run(deps: RunDeps, appliers: readonly Applier[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      // Documents held from before are not those of the checkpoints now read: another node may have written both since.
      for (const applier of appliers) applier.forget()
      const standings = await openStandings(deps, appliers)
      for (const [partition, position] of reached(standings)) deps.progress.advance(partition, position)
      let unmoved = 0
      for await (const events of deps.log.subscribe(earliest(standings), LIVE_BATCH, signal)) {
        unmoved += events.length
        const all = unmoved >= IDLE_CHECKPOINT_EVERY
        await applyBatch(deps, standings, events, all)
        if (all) unmoved = 0
      }
    } catch (why) {
      deps.reopening(why)
      await new Promise((wake) => setTimeout(wake, REOPEN_AFTER_MS))
    }
  }
}

async function applyBatch(
  deps: RunDeps,
  standings: ReadonlyMap<Applier, Checkpoints>,
  events: readonly StoredEvent[],
  all: boolean,
): Promise<void> {
  const last = events.at(-1) as StoredEvent
  const moved = all ? everywhere(last) : lastPerPartition(events)
  for (const [applier, standing] of standings) await applier.apply(beyond(events, standing))
  await write(deps, ...[...standings].map(([applier, standing]) => applier.take(ahead(standing, moved))))
  for (const standing of standings.values()) move(standing, moved)
  for (const [partition, checkpoint] of moved) deps.progress.advance(partition, checkpoint.position)
  deps.applied(events.length, last)
}

/**
 * Applies history up to a position in large steps, for views that are new or far behind. A crash at any point leaves what
 * was written with its checkpoint, or nothing. `told` hears how many events were read so far.
 */
export async function catchUp(
  deps: RunDeps,
  appliers: readonly Applier[],
  until: Position,
  told: (read: number) => void = () => {},
): Promise<void> {
  const standings = await openStandings(deps, appliers)
  let after = earliest(standings)
  for (let read = 0; after === null || after < until; ) {
    const events = await deps.log.readAll(after, CATCH_UP_BATCH)
    const last = events.at(-1)
    if (last === undefined) return
    for (const [applier, standing] of standings) await applier.apply(beyond(events, standing))
    after = last.position
    read += events.length
    const changed = appliers.reduce((sum, applier) => sum + applier.changed(), 0)
    if (changed >= CHANGED_MAX || after >= until) {
      const moved = everywhere(last)
      await write(deps, ...[...standings].map(([applier, standing]) => applier.take(ahead(standing, moved))))
      deps.applied(read, last)
    }
    told(read)
  }
}

async function openStandings(deps: RunDeps, appliers: readonly Applier[]): Promise<Map<Applier, Checkpoints>> {
  const standings = new Map<Applier, Checkpoints>()
  for (const applier of appliers) standings.set(applier, await deps.views.checkpoints(viewKey(applier.projection)))
  return standings
}

/** Before every partition of every view, or from the beginning where one of them has no checkpoint. */
function earliest(standings: ReadonlyMap<Applier, Checkpoints>): Position | null {
  let first: Position | null = null
  for (const standing of standings.values()) {
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const position = standing.get(partition)?.position
      if (position === undefined) return null
      if (first === null || position < first) first = position
    }
  }
  return first
}

/** How far every one of the views has come, per partition. */
function reached(standings: ReadonlyMap<Applier, Checkpoints>): [partition: number, position: Position][] {
  return Array.from({ length: PARTITIONS }, (_, partition): [number, Position] => {
    const positions = [...standings.values()].map((standing) => standing.get(partition)?.position ?? '')
    return [partition, positions.reduce((least, one) => (one < least ? one : least))]
  }).filter(([, position]) => position !== '')
}

function beyond(events: readonly StoredEvent[], standing: Checkpoints): readonly StoredEvent[] {
  if (standing.size === 0) return events
  const isNew = (event: StoredEvent) => event.position > (standing.get(partitionOf(event.meta.game))?.position ?? '')
  return events.every(isNew) ? events : events.filter(isNew)
}

const at = (event: StoredEvent): Checkpoint => ({ position: event.position, eventId: event.id })

function everywhere(last: StoredEvent): Checkpoints {
  return new Map(Array.from({ length: PARTITIONS }, (_, partition) => [partition, at(last)]))
}

function lastPerPartition(events: readonly StoredEvent[]): Checkpoints {
  return new Map(events.map((event) => [partitionOf(event.meta.game), at(event)]))
}

/** Of the checkpoints moved to, those that are further than where the view stands: read again, events move nothing back. */
function ahead(standing: Checkpoints, moved: Checkpoints): Checkpoints {
  return new Map([...moved].filter(([partition, { position }]) => position > (standing.get(partition)?.position ?? '')))
}

function move(standing: Checkpoints, moved: Checkpoints): void {
  for (const [partition, checkpoint] of ahead(standing, moved)) standing.set(partition, checkpoint)
}
