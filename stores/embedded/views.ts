// The read models in a SQLite file. It is not synced at each commit: what a power cut takes from its tail is replayed from
// the log, starting at the checkpoint that was lost with it.

import type { Batch, Checkpoint, Document, Find, ViewSpec, Views } from '../contract/views.ts'
import { closeExclusive, openExclusive } from './exclusive-database.ts'
import { openCollection, type ViewCollection } from './view-collection.ts'
import { createViewsRegister } from './views-register.ts'
import { VIEWS_SCHEMA } from './views-schema.ts'

/** Pages of WAL (4 KiB each) after which SQLite folds them into the file: 16 MiB. */
const CHECKPOINT_PAGES = 4_096

/** Opens or creates the read models. Throws where another process has them open. */
export async function openViews(path: string): Promise<Views> {
  const db = openExclusive(path, VIEWS_SCHEMA)
  db.exec(`PRAGMA wal_autocheckpoint=${CHECKPOINT_PAGES}`)
  const register = createViewsRegister(db)
  const opened = new Map<string, Map<string, ViewCollection>>()
  const readCheckpoints = db.prepare('SELECT partition, position, event FROM checkpoints WHERE view = ?')
  const writeCheckpoint = db.prepare(
    `INSERT INTO checkpoints (view, partition, position, event) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET position = excluded.position, event = excluded.event`,
  )

  for (const view of register.views()) open(view)

  function open(view: string): void {
    const tables = register.tables(view).map(([name, table]) => [name, openCollection(db, table)] as const)
    opened.set(view, new Map(tables))
  }

  function collection(view: string, name: string): ViewCollection {
    const found = opened.get(view)?.get(name)
    if (found === undefined)
      throw new TypeError(`There is no collection ${name} of view ${view}: prepare the view first`)
    return found
  }

  async function prepare(view: ViewSpec): Promise<void> {
    register.prepare(view)
    open(view.key)
  }

  async function drop(view: string): Promise<void> {
    register.drop(view)
    opened.delete(view)
  }

  async function checkpoints(view: string): Promise<Map<number, Checkpoint>> {
    const rows = readCheckpoints.all(view) as { partition: number; position: string; event: string }[]
    return new Map(rows.map(({ partition, position, event }) => [partition, { position, eventId: event }]))
  }

  async function get(view: string, name: string, ids: readonly string[]): Promise<(Document | null)[]> {
    const from = collection(view, name)
    return ids.map((id) => from.get(id))
  }

  async function commit(batches: readonly Batch[]): Promise<void> {
    const committed: (() => void)[] = []
    register.inTransaction(() => {
      for (const { view, writes, checkpoints: reached } of batches) {
        for (const write of writes) {
          const after = collection(view, write.collection).write(write)
          if (after !== null) committed.push(after)
        }
        for (const [partition, { position, eventId }] of reached) {
          writeCheckpoint.run(view, partition, position, eventId)
        }
      }
    })
    for (const after of committed) after()
  }

  return {
    prepare,
    list: async () => register.views(),
    drop,
    checkpoints,
    get,
    find: async (find: Find) => collection(find.view, find.collection).find(find),
    count: async (find: Find) => collection(find.view, find.collection).count(find),
    scan: async (view, name, afterId, limit) => collection(view, name).scan(afterId, limit),
    commit,
    close: async () => {
      if (db.isOpen) closeExclusive(db)
    },
  }
}
