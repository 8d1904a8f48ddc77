// The checkpoints of the views in their SQLite file, with a cache of those read last.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Checkpoint } from '../contract/views.ts'

export interface ViewCheckpoints {
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
