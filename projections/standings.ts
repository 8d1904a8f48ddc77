// Where views stand in the log, partition by partition: read at the beginning, and moved along with each batch written.

import type { Position, StoredEvent } from '../domain/event.ts'
import { PARTITIONS, partitionOf } from '../stores/contract/partition.ts'
import type { Checkpoint, Views } from '../stores/contract/views.ts'
import type { Applier } from './apply.ts'
import { viewKey } from './projection.ts'

/** Where one view stands: partition -> its checkpoint. */
export type Checkpoints = Map<number, Checkpoint>

/** Where the views stand now. What the appliers hold from before is forgotten. */
export async function openStandings(views: Views, appliers: readonly Applier[]): Promise<Map<Applier, Checkpoints>> {
  // Those documents are not those of the checkpoints now read: another node may have written both since.
  for (const applier of appliers) applier.forget()
  const standings = new Map<Applier, Checkpoints>()
  for (const applier of appliers) standings.set(applier, await views.checkpoints(viewKey(applier.projection)))
  return standings
}

/** Before every partition of every view, or from the beginning where one of them has no checkpoint. */
export function earliest(standings: ReadonlyMap<Applier, Checkpoints>): Position | null {
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
export function reached(standings: ReadonlyMap<Applier, Checkpoints>): [partition: number, position: Position][] {
  return Array.from({ length: PARTITIONS }, (_, partition): [number, Position] => {
    const positions = [...standings.values()].map((standing) => standing.get(partition)?.position ?? '')
    return [partition, positions.reduce((least, one) => (one < least ? one : least))]
  }).filter(([, position]) => position !== '')
}

/** Of these events, those that the view has not taken yet. */
export function beyond(events: readonly StoredEvent[], standing: Checkpoints): readonly StoredEvent[] {
  if (standing.size === 0) return events
  const isNew = (event: StoredEvent) => event.position > (standing.get(partitionOf(event.meta.game))?.position ?? '')
  return events.every(isNew) ? events : events.filter(isNew)
}

const at = (event: StoredEvent): Checkpoint => ({ position: event.position, eventId: event.id })

/** What every partition has come to where all events up to this one are applied, also those with none of them. */
export function everywhere(last: StoredEvent): Checkpoints {
  return new Map(Array.from({ length: PARTITIONS }, (_, partition) => [partition, at(last)]))
}

/** What the partitions of these events have come to. */
export function lastPerPartition(events: readonly StoredEvent[]): Checkpoints {
  return new Map(events.map((event) => [partitionOf(event.meta.game), at(event)]))
}

/** Of the checkpoints moved to, those that are further than where the view stands: read again, events move nothing back. */
export function ahead(standing: Checkpoints, moved: Checkpoints): Checkpoints {
  return new Map([...moved].filter(([partition, { position }]) => position > (standing.get(partition)?.position ?? '')))
}

/** Notes that these checkpoints were written. */
export function move(standing: Checkpoints, moved: Checkpoints): void {
  for (const [partition, checkpoint] of ahead(standing, moved)) standing.set(partition, checkpoint)
}
