// The positions that the views of this process have reached in the partitions it owns: read at the start of a run, and
// moved forward with each written batch.

import { leastPosition, type Position, type StoredEvent } from '../domain/event.ts'
import { PARTITIONS, partitionOf } from '../domain/partition.ts'
import type { Checkpoint, Views } from '../stores/contract/views.ts'
import type { Applier } from './applier.ts'
import { viewKey } from './projection.ts'

/** Of one view: partition -> checkpoint. */
export type Checkpoints = Map<number, Checkpoint>

export interface OwnedCheckpoints {
  readonly owned: ReadonlySet<number>
  readonly of: ReadonlyMap<Applier, Checkpoints>
}

/** Reads the stored checkpoints. Makes the appliers discard their documents. */
export async function readCheckpoints(
  views: Views,
  appliers: readonly Applier[],
  owned: ReadonlySet<number>,
): Promise<OwnedCheckpoints> {
  // The loaded documents may not match these checkpoints: another node may have written both since.
  for (const applier of appliers) applier.forget()
  const of = new Map<Applier, Checkpoints>()
  for (const applier of appliers) {
    const checkpoints = await views.checkpoints(viewKey(applier.projection))
    of.set(applier, new Map([...checkpoints].filter(([partition]) => owned.has(partition))))
  }
  return { owned, of }
}

/** The least position over all owned partitions and views; null if one of them has no checkpoint. */
export function earliest(checkpoints: OwnedCheckpoints): Position | null {
  return leastPosition(reached(checkpoints).map(([, position]) => position))
}

/** The position that all views have reached, per owned partition; null if one of them has not started. */
export function reached({ owned, of }: OwnedCheckpoints): [partition: number, position: Position | null][] {
  const all = [...of.values()]
  return [...owned].map((partition) => [partition, leastReached(all, partition)])
}

/** The position that all these views have reached in a partition; null if one has not started or there are none. */
export function leastReached(views: readonly ReadonlyMap<number, Checkpoint>[], partition: number): Position | null {
  return leastPosition(views.map((checkpoints) => checkpoints.get(partition)?.position ?? null))
}

/** The events in owned partitions that the view has not applied yet. */
export function beyond(events: readonly StoredEvent[], checkpoints: Checkpoints, owned: ReadonlySet<number>) {
  if (checkpoints.size === 0 && owned.size === PARTITIONS) return events
  const isDue = ({ position, meta }: StoredEvent) => {
    const partition = partitionOf(meta.game)
    return owned.has(partition) && position > (checkpoints.get(partition)?.position ?? '')
  }
  return events.every(isDue) ? events : events.filter(isDue)
}

const at = (event: StoredEvent): Checkpoint => ({ position: event.position, eventId: event.id })

/**
 * The checkpoints of all owned partitions once every event up to this one is applied, including partitions without any
 * of the events.
 */
export function everywhere(last: StoredEvent, owned: ReadonlySet<number>): Checkpoints {
  return new Map([...owned].map((partition) => [partition, at(last)]))
}

/** The checkpoints of the owned partitions that these events belong to. */
export function lastPerPartition(events: readonly StoredEvent[], owned: ReadonlySet<number>): Checkpoints {
  const last = new Map<number, Checkpoint>()
  for (const event of events) {
    const partition = partitionOf(event.meta.game)
    if (owned.has(partition)) last.set(partition, at(event))
  }
  return last
}

/** The checkpoints that are ahead of the view's own: events that are read again move nothing back. */
export function ahead(checkpoints: Checkpoints, moved: Checkpoints): Checkpoints {
  return new Map(
    [...moved].filter(([partition, { position }]) => position > (checkpoints.get(partition)?.position ?? '')),
  )
}

/** Records that these checkpoints were written. */
export function move(checkpoints: Checkpoints, moved: Checkpoints): void {
  for (const [partition, checkpoint] of ahead(checkpoints, moved)) checkpoints.set(partition, checkpoint)
}

/**
 * Whether these events end the removal of a game. The log server may then drop the game's events, so no checkpoint may
 * name one of them: all checkpoints are moved to the end of this batch.
 */
export const endsGame = (events: readonly StoredEvent[]): boolean => events.some(({ type }) => type === 'GameErased')
