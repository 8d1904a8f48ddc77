// What the register says of views in partitions: their checkpoints, and a stamp that changes whenever a document may
// have been changed. Concurrent reads share one command.

import type { Collection } from 'mongodb'
import type { Checkpoint } from '../contract/views.ts'
import { batching } from './batching.ts'
import type { CallTimeout } from './call-timeout.ts'
import { ALL_CHANGES, type Entry } from './register-entry.ts'

interface PartitionProgress {
  readonly checkpoint: Checkpoint | null
  /**
   * Equal stamps: no document of the view in this partition was changed in between by an event up to the checkpoint.
   * Null: its last checkpoint was written by a version of this program that does not count changes.
   */
  readonly stamp: string | null
}

export interface ViewProgress {
  /** As of now, or later. */
  read(view: string, partition: number): Promise<PartitionProgress>
  /** The newest stamp that was read. Null if there is none, also after `forget` until the next read. */
  known(view: string, partition: number): string | null
  /** Called after a write of this process, which may have changed documents. */
  forget(view: string): void
  /** The logical time: it grows with each read and each `forget`. */
  now(): number
  /** Whether the stamp was known at that logical time and is the known one still. */
  isUnchangedSince(view: string, partition: number, time: number): boolean
}

interface Known {
  readonly stamp: string | null
  /** Number of the read that this stamp comes from. */
  readonly read: number
  /** The logical time since which it is known. */
  readonly since: number
}

export function createViewProgress(entries: Collection<Entry>, withCallTimeout: CallTimeout): ViewProgress {
  const known = new Map<string, Known>()
  const forgotten = new Map<string, number>()
  let now = 0

  const read = batching(async (ids: readonly string[]): Promise<ReadonlyMap<string, PartitionProgress>> => {
    now += 1
    const began = now
    const asked = ids.map(placeOf)
    const views = [...new Set(asked.map(({ view }) => view))]
    const partitions = [...new Set(asked.map(({ partition }) => partition))]
    const projection = Object.fromEntries([
      ['generation', 1],
      ['changes', 1],
      ...partitions.map((partition) => [`checkpoints.p${partition}`, 1]),
    ])
    const found = await withCallTimeout(entries.find({ _id: { $in: views } }, { projection }).toArray())
    const byView = new Map(found.map((entry) => [entry._id, entry]))
    return new Map(
      asked.map(({ id, view, partition }) => {
        const progress = progressIn(byView.get(view), partition)
        note(id, view, progress.stamp, began)
        return [id, progress]
      }),
    )
  })

  /** Reads may end in another order than they began. */
  function note(id: string, view: string, stamp: string | null, began: number): void {
    const before = known.get(id)
    if (began < (forgotten.get(view) ?? 0) || began < (before?.read ?? 0)) return
    now += 1
    known.set(id, { stamp, read: began, since: before?.stamp === stamp ? before.since : now })
  }

  return {
    read: async (view, partition) => {
      const id = idOf(view, partition)
      return (await read([id])).get(id) ?? NOTHING
    },
    known: (view, partition) => known.get(idOf(view, partition))?.stamp ?? null,
    forget(view) {
      now += 1
      forgotten.set(view, now)
      for (const id of known.keys()) if (placeOf(id).view === view) known.delete(id)
    },
    now: () => now,
    isUnchangedSince: (view, partition, time) => (known.get(idOf(view, partition))?.since ?? now + 1) <= time,
  }
}

const NOTHING: PartitionProgress = { checkpoint: null, stamp: null }

const idOf = (view: string, partition: number): string => `${partition} ${view}`

function placeOf(id: string) {
  const space = id.indexOf(' ')
  return { id, partition: Number(id.slice(0, space)), view: id.slice(space + 1) }
}

function progressIn(entry: Entry | undefined, partition: number): PartitionProgress {
  const stored = entry?.checkpoints?.[`p${partition}`]
  if (entry === undefined || stored === undefined) return NOTHING
  const { position, eventId, counts } = stored
  const { [ALL_CHANGES]: all = 0, [`p${partition}`]: own = 0 } = entry.changes ?? {}
  return {
    checkpoint: { position, eventId },
    stamp: counts === true ? `${entry.generation} ${all} ${own}` : null,
  }
}
