// Read models that can be restored to an older copy, like a backup, and that report any write that moves a document or
// checkpoint backwards.

import type { Batch, ViewSpec, Views, Write } from '../../../stores/contract/views.ts'
import { createMemoryViews } from '../../memory/views.ts'

interface RewindableViews extends Views {
  /** Number of commits so far. */
  commits(): number
  /** Restores the copy that held only the first `commits`. */
  rewind(commits: number): Promise<void>
}

interface Watch {
  /** With a single writer, checkpoints must never move backwards either. */
  readonly oneWriter: boolean
  movedBack(text: string): void
}

export function createRewindableViews({ oneWriter, movedBack }: Watch): RewindableViews {
  let views = createMemoryViews()
  let taken: (readonly Batch[])[] = []
  const prepared = new Map<string, ViewSpec>()

  async function commit(batches: readonly Batch[]): Promise<void> {
    const before = await positions(batches)
    if (oneWriter) for (const batch of batches) await checkCheckpoints(batch)
    taken.push(batches)
    await views.commit(batches)
    for (const [document, position] of await positions(batches)) {
      const was = before.get(document) ?? ''
      if (position < was) movedBack(`${document} moved from ${was} back to ${position}`)
    }
  }

  async function positions(batches: readonly Batch[]): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    const note = async (view: string, { collection, id }: Write) => {
      const [document] = await views.get(view, collection, [id])
      if (document) found.set(`${view}/${collection}/${id}`, document.pos)
    }
    for (const { view, writes } of batches) for (const write of writes) await note(view, write)
    return found
  }

  async function checkCheckpoints({ view, checkpoints }: Batch): Promise<void> {
    const written = await views.checkpoints(view)
    for (const [partition, { position }] of checkpoints) {
      const was = written.get(partition)?.position ?? ''
      if (position < was) movedBack(`${view}: checkpoint ${partition} moved from ${was} back to ${position}`)
    }
  }

  return {
    prepare: (view) => {
      prepared.set(view.key, view)
      return views.prepare(view)
    },
    list: () => views.list(),
    drop: (view) => views.drop(view),
    checkpoints: (view) => views.checkpoints(view),
    get: (view, collection, ids) => views.get(view, collection, ids),
    current: (view, ...document) => views.current(view, ...document),
    find: (find) => views.find(find),
    count: (find) => views.count(find),
    scan: (view, collection, afterId, limit) => views.scan(view, collection, afterId, limit),
    commit,
    durable: () => views.durable(),
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
