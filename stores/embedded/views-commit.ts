// Writes batches of documents and checkpoints, each call atomically, many of them in one transaction. A call with many
// writes is not atomic: they are written in parts, the checkpoints with the last one, and other calls are served in
// between.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { yieldToRequests } from '../../runtime/yield-to-event-loop.ts'
import type { Batch, Checkpoint } from '../contract/views.ts'
import type { ViewCollection, Written } from './view-collection.ts'
import type { ReadyWrite } from './view-rows.ts'
import type { ViewsFile } from './views-file.ts'

/**
 * Counted for a write or checkpoint besides its document, in characters. Its pages stay in memory until the COMMIT:
 * with four each, a transaction holds 32 MiB of them at most.
 */
const ROW_CHARACTERS = 256
/** From this number of writes on they are sorted in table order, so that neighbours share a cached page. */
const SORTED_FROM = 10_000
/** Calls with more writes are written in parts: they would take more than about 20 ms. */
const WHOLE = 500
/** Writes between two yields to the event loop: about 2 ms. */
const PART = 50

interface ReadyBatch extends Batch {
  readonly writes: readonly ReadyWrite[]
}

/**
 * `collection` throws a TypeError for a collection that is not prepared. `isNew`: whether a view is being filled and is
 * not read yet; its batches are written whole, which costs less.
 */
export function createViewsCommit(
  file: ViewsFile,
  checkpoints: ViewCheckpoints,
  collection: (view: string, name: string) => ViewCollection,
  isNew: (view: string) => boolean,
): (batches: readonly Batch[]) => Promise<void> {
  /** All writes first: in a shared open transaction a failing one would roll back those of others. */
  function allReady(batches: readonly Batch[]): ReadyBatch[] {
    return batches.map((batch) => ({
      ...batch,
      writes: batch.writes.map((write) => collection(batch.view, write.collection).ready(write)),
    }))
  }

  /** Only for speed: the result of writes does not depend on their order. */
  function sorted(batch: ReadyBatch): ReadyBatch {
    const { view, writes } = batch
    if (writes.length < SORTED_FROM) return batch
    const keyed = writes.map((write) => ({ write, order: collection(view, write.collection).writeOrderOf(write) }))
    keyed.sort((a, b) => (a.order < b.order ? -1 : 1))
    return { ...batch, writes: keyed.map(({ write }) => write) }
  }

  function writeAll(batches: readonly ReadyBatch[]): Written[] {
    const committed: Written[] = []
    for (const { view, writes, checkpoints: own } of batches) {
      for (const write of writes) {
        const written = collection(view, write.collection).write(write)
        if (written !== null) committed.push(written)
      }
      checkpoints.write(view, own)
    }
    return committed
  }

  async function commit(batches: readonly ReadyBatch[]): Promise<void> {
    while (file.untilWritable !== null) await file.untilWritable
    file.check()
    let committed: readonly Written[] = []
    file.transactions.run(() => {
      committed = writeAll(batches)
      return committed.reduce((sum, { length }) => sum + length, ROW_CHARACTERS * rowsOf(batches))
    })
    for (const written of committed) written.remember()
    for (const { view } of batches) checkpoints.forget(view)
    file.checkpointWalIfDue()
  }

  return async (batches) => {
    while (file.untilWritable !== null) await file.untilWritable
    file.check()
    const ready = allReady(batches).map(sorted)
    if (batches.every(({ view, writes }) => writes.length <= WHOLE || isNew(view))) return commit(ready)
    for (const [at, part] of partsOf(ready).entries()) {
      if (at > 0) await yieldToRequests()
      await commit(part)
    }
  }
}

/** The checkpoints of a batch are in its last part. */
function partsOf(batches: readonly ReadyBatch[]): (readonly ReadyBatch[])[] {
  return batches.flatMap((batch) => {
    const { writes } = batch
    const parts: (readonly ReadyBatch[])[] = []
    for (let at = 0; at + PART < writes.length; at += PART) {
      parts.push([{ ...batch, writes: writes.slice(at, at + PART), checkpoints: new Map() }])
    }
    parts.push([{ ...batch, writes: writes.slice(Math.floor(Math.max(0, writes.length - 1) / PART) * PART) }])
    return parts
  })
}

const rowsOf = (batches: readonly Batch[]): number =>
  batches.reduce((sum, { writes, checkpoints }) => sum + writes.length + checkpoints.size, 0)

interface ViewCheckpoints {
  read(view: string): Map<number, Checkpoint>
  /** Only inside a transaction; a checkpoint never moves back. `forget` follows once it is committed. */
  write(view: string, checkpoints: Iterable<readonly [number, Checkpoint]>): void
  /** Drops a view's checkpoints from the cache. */
  forget(view: string): void
}

export function createViewCheckpoints(db: DatabaseSyncInstance): ViewCheckpoints {
  /** Never stale, because only this process writes the file. */
  const known = new Map<string, ReadonlyMap<number, Checkpoint>>()
  const select = db.prepare('SELECT partition, position, event FROM reached WHERE view = ?')
  const upsert = db.prepare(
    `INSERT INTO reached (view, partition, position, event) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET position = excluded.position, event = excluded.event
     WHERE excluded.position > position`,
  )

  function read(view: string): Map<number, Checkpoint> {
    const before = known.get(view)
    if (before !== undefined) return new Map(before)
    const rows = select.all(view) as { partition: number; position: string; event: string }[]
    const found = rows.map(({ partition, position, event }) => [partition, { position, eventId: event }] as const)
    known.set(view, new Map(found))
    return new Map(found)
  }

  function write(view: string, checkpoints: Iterable<readonly [number, Checkpoint]>): void {
    for (const [partition, { position, eventId }] of checkpoints) upsert.run(view, partition, position, eventId)
  }

  return { read, write, forget: (view) => known.delete(view) }
}
