// How far views have come in the log, in the partitions that this process holds: read at the beginning, and moved along
// with each batch written.

import { leastPosition, type Position, type StoredEvent } from '../domain/event.ts'
import { PARTITIONS, partitionOf } from '../domain/partition.ts'
import type { Checkpoint, Views } from '../stores/contract/views.ts'
import type { Applier } from './apply.ts'
import { viewKey } from './projection.ts'

/** Of one view: partition -> its checkpoint. */
export type Checkpoints = Map<number, Checkpoint>

export interface OwnedCheckpoints {
  readonly held: ReadonlySet<number>
  readonly of: ReadonlyMap<Applier, Checkpoints>
}

/** What is written now. What the appliers hold from before is forgotten. */
export async function readCheckpoints(
  views: Views,
  appliers: readonly Applier[],
  held: ReadonlySet<number>,
): Promise<OwnedCheckpoints> {
  // Those documents are not those of the checkpoints now read: another node may have written both since.
  for (const applier of appliers) applier.forget()
  const of = new Map<Applier, Checkpoints>()
  for (const applier of appliers) {
    const checkpoints = await views.checkpoints(viewKey(applier.projection))
    of.set(applier, new Map([...checkpoints].filter(([partition]) => held.has(partition))))
  }
  return { held, of }
}

/** Before every held partition of every view, or from the beginning where one of them has no checkpoint. */
export function earliest(checkpoints: OwnedCheckpoints): Position | null {
  return leastPosition(reached(checkpoints).map(([, position]) => position))
}

/** How far every one of the views has come, per held partition; null where one of them is at the beginning. */
export function reached({ held, of }: OwnedCheckpoints): [partition: number, position: Position | null][] {
  const all = [...of.values()]
  return [...held].map((partition) => [partition, leastReached(all, partition)])
}

/** How far every one of these has come in a partition; null where one of them is at the beginning, or there are none. */
export function leastReached(views: readonly ReadonlyMap<number, Checkpoint>[], partition: number): Position | null {
  return leastPosition(views.map((checkpoints) => checkpoints.get(partition)?.position ?? null))
}

/** Of these events, those in held partitions that the view has not taken yet. */
export function beyond(events: readonly StoredEvent[], checkpoints: Checkpoints, held: ReadonlySet<number>) {
  if (checkpoints.size === 0 && held.size === PARTITIONS) return events
  const isDue = ({ position, meta }: StoredEvent) => {
    const partition = partitionOf(meta.game)
    return held.has(partition) && position > (checkpoints.get(partition)?.position ?? '')
  }
  return events.every(isDue) ? events : events.filter(isDue)
}

const at = (event: StoredEvent): Checkpoint => ({ position: event.position, eventId: event.id })

/** What every held partition has come to where all events up to this one are applied, also those with none of them. */
export function everywhere(last: StoredEvent, held: ReadonlySet<number>): Checkpoints {
  return new Map([...held].map((partition) => [partition, at(last)]))
}

/** What the held partitions of these events have come to. */
export function lastPerPartition(events: readonly StoredEvent[], held: ReadonlySet<number>): Checkpoints {
  const last = new Map<number, Checkpoint>()
  for (const event of events) {
    const partition = partitionOf(event.meta.game)
    if (held.has(partition)) last.set(partition, at(event))
  }
  return last
}

/** Of the checkpoints moved to, those that are further than the view has come: read again, events move nothing back. */
export function ahead(checkpoints: Checkpoints, moved: Checkpoints): Checkpoints {
  return new Map(
    [...moved].filter(([partition, { position }]) => position > (checkpoints.get(partition)?.position ?? '')),
  )
}

/** Notes that these checkpoints were written. */
export function move(checkpoints: Checkpoints, moved: Checkpoints): void {
  for (const [partition, checkpoint] of ahead(checkpoints, moved)) checkpoints.set(partition, checkpoint)
}

/**
 * Whether everything of a game is removed by now: a server may then drop its events, and no checkpoint may remember one of them. All
 * are moved to the end of these events.
 */
export const endsGame = (events: readonly StoredEvent[]): boolean => events.some(({ type }) => type === 'GameErased')
