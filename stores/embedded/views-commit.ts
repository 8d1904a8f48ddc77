// Writes batches of documents and checkpoints, each call atomically, many of them in one transaction.

import type { Batch } from '../contract/views.ts'
import type { ViewCheckpoints } from './view-checkpoints.ts'
import type { ViewCollection, Written } from './view-collection.ts'
import type { ReadyWrite } from './view-rows.ts'
import type { ViewsFile } from './views-file.ts'

/** What a write or checkpoint holds in memory besides its document, in characters. */
const ROW_CHARACTERS = 64
/** From this number of writes on they are sorted in table order, so that neighbours share a cached page. */
const SORTED_FROM = 10_000

interface ReadyBatch extends Batch {
  readonly writes: readonly ReadyWrite[]
}

/** `collection` throws a TypeError for a collection that is not prepared. */
export function createViewsCommit(
  file: ViewsFile,
  checkpoints: ViewCheckpoints,
  collection: (view: string, name: string) => ViewCollection,
): (batches: readonly Batch[]) => Promise<void> {
  /** All writes first: in a shared open transaction a failing one would roll back those of others. */
  function allReady(batches: readonly Batch[]): ReadyBatch[] {
    return batches.map((batch) => ({
      ...batch,
      writes: batch.writes.map((write) => collection(batch.view, write.collection).ready(write)),
    }))
  }

  /** Only for speed: the result of writes does not depend on their order. */
  function inTableOrder(view: string, writes: readonly ReadyWrite[]): ReadyWrite[] {
    const keyed = writes.map((write) => ({ write, sortKey: collection(view, write.collection).sortKeyOf(write) }))
    keyed.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1))
    return keyed.map(({ write }) => write)
  }

  function writeAll(batches: readonly ReadyBatch[]): Written[] {
    const committed: Written[] = []
    for (const { view, writes, checkpoints: own } of batches) {
      for (const write of writes.length < SORTED_FROM ? writes : inTableOrder(view, writes)) {
        const written = collection(view, write.collection).write(write)
        if (written !== null) committed.push(written)
      }
      checkpoints.write(view, own)
    }
    return committed
  }

  return async (batches) => {
    while (file.folding !== null) await file.folding
    file.check()
    let committed: readonly Written[] = []
    const isOfMany = batches.some(({ ofMany }) => ofMany)
    const ready = allReady(batches)
    file.transactions.run(() => {
      committed = writeAll(ready)
      return committed.reduce((sum, { length }) => sum + length, ROW_CHARACTERS * rowsOf(batches))
    }, isOfMany)
    for (const written of committed) written.remember(isOfMany)
    for (const { view } of batches) checkpoints.forget(view)
    if (batches.some(({ lasting }) => lasting)) file.settle()
    file.foldWhereDue()
  }
}

const rowsOf = (batches: readonly Batch[]): number =>
  batches.reduce((sum, { writes, checkpoints }) => sum + writes.length + checkpoints.size, 0)
