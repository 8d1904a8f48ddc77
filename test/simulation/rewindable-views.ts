// Read models that can be set back to an older copy of themselves, as a restored backup would be.

import type { Batch, Views, ViewSpec } from '../../stores/contract/views.ts'
import { createMemoryViews } from '../memory/views.ts'

export interface RewindableViews extends Views {
  /** How many commits were taken so far. */
  commits(): number
  /** Puts back the copy that held only the first `commits`. */
  rewind(commits: number): Promise<void>
}

/** `movedBack` is told of a checkpoint written behind the one that stood there: what a single writer never does. */
export function createRewindableViews(movedBack: (text: string) => void): RewindableViews {
  let views = createMemoryViews()
  let taken: (readonly Batch[])[] = []
  const prepared = new Map<string, ViewSpec>()
  return {
    prepare: (view) => {
      prepared.set(view.key, view)
      return views.prepare(view)
    },
    list: () => views.list(),
    drop: (view) => views.drop(view),
    checkpoints: (view) => views.checkpoints(view),
    get: (view, collection, ids) => views.get(view, collection, ids),
    find: (find) => views.find(find),
    count: (find) => views.count(find),
    scan: (view, collection, afterId, limit) => views.scan(view, collection, afterId, limit),
    commit: async (batches) => {
      taken.push(batches)
      for (const { view, checkpoints } of batches) {
        const standing = await views.checkpoints(view)
        for (const [partition, { position }] of checkpoints) {
          const before = standing.get(partition)?.position ?? ''
          if (position < before) movedBack(`${view}: checkpoint ${partition} moved from ${before} back to ${position}`)
        }
      }
      return views.commit(batches)
    },
    close: () => views.close(),
    commits: () => taken.length,
    async rewind(commits) {
      views = createMemoryViews()
      taken = taken.slice(0, commits)
      for (const view of prepared.values()) await views.prepare(view)
      for (const batches of taken) await views.commit(batches)
    },
  }
}
