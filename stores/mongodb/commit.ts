// Commits batches: first the documents, then the checkpoints, with counts of the commits that changed documents.

import type { Collection } from 'mongodb'
import type { Batch, Views } from '../contract/views.ts'
import type { CallTimeout } from './call-timeout.ts'
import { type Row, rowOf } from './document-rows.ts'
import { collectionIn, type OpenView, type OpenViews } from './open-views.ts'
import type { Reached, Register } from './register.ts'
import { newestOf, writeRows } from './writes.ts'

interface Given {
  readonly view: string
  readonly all: Row[]
  readonly news: Set<string>
}

/**
 * Rejects before any write if a view or collection of any batch is missing. A change is counted with the checkpoint
 * that covers it: with its own batch, or with the view's next one that has checkpoints. If the process ends before, its
 * successor finds the documents ahead of their events, and counts them as `repeats`.
 */
export function createCommit(register: Register, opened: OpenViews, withCallTimeout: CallTimeout): Views['commit'] {
  /** Views with changes that are not counted. */
  const uncounted = new Set<string>()

  return async (batches) => {
    const views = await Promise.all(batches.map(({ view }) => opened.get(view)))
    const given = rowsOf(batches, views)
    const touched = new Set([...given.values()].map(({ view }) => view))
    const changed = new Set<string>()
    const noteUncounted = (keys: Iterable<string>) => {
      for (const key of keys) uncounted.add(key)
    }
    const written = await Promise.allSettled(
      [...given].map(async ([rows, { view, all, news }]) => {
        if (await writeRows(rows, newestOf(all), withCallTimeout, news)) changed.add(view)
      }),
    )
    for (const one of written) {
      if (one.status === 'fulfilled') continue
      noteUncounted(touched)
      throw one.reason
    }
    const reached = batches.flatMap(({ view, checkpoints, repeats }, index): Reached[] => {
      const open = views[index]
      if (open === undefined) return []
      if (checkpoints.size === 0 && (repeats === true || changed.has(view))) uncounted.add(view)
      const isAnywhere = repeats === true || uncounted.has(view)
      return [{ view: open, checkpoints, changed: isAnywhere ? 'anywhere' : changed.has(view) ? 'here' : 'nowhere' }]
    })
    const counting = reached.filter((one) => one.changed !== 'nowhere' && one.checkpoints.size > 0)
    try {
      await register.reach(reached)
    } catch (failure) {
      noteUncounted(counting.map(({ view }) => view._id))
      throw failure
    } finally {
      for (const { view } of counting) register.progress.forget(view._id)
    }
    for (const { view } of counting) uncounted.delete(view._id)
  }
}

function rowsOf(batches: readonly Batch[], views: readonly OpenView[]): Map<Collection<Row>, Given> {
  const given = new Map<Collection<Row>, Given>()
  for (const [index, { view, writes }] of batches.entries()) {
    for (const write of writes) {
      const { rows, table, free } = collectionIn(views[index], write.collection)
      const own: Given = given.get(rows) ?? { view, all: [], news: new Set() }
      if (own.all.length === 0) given.set(rows, own)
      own.all.push(rowOf(table, write))
      if (free.delete(write.id) && write.body !== null) own.news.add(write.id)
    }
  }
  return given
}
