// Writes the embedded log: decides each append against the committed state, assigns positions, and publishes events
// when their group is durable.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { lru } from '../../cache/lru.ts'
import type { AppendResult } from '../contract/log.ts'
import type { CheckedAppend } from '../support/append-check.ts'
import { positionOf } from './log-position.ts'
import { prepareRows } from './prepare-rows.ts'
import type { RecentEvent } from './recent-events.ts'

/** Streams whose last revision is cached, so that an append to a busy stream needs no query. */
const MAX_REMEMBERED_STREAMS = 65_536

export interface LogWriter {
  /** Decides and writes one append. Call it inside a transaction; the result is valid once that is durable. */
  append(append: CheckedAppend): AppendResult
  /** Call when the transaction is durable. Returns its events, in order. */
  durable(): readonly RecentEvent[]
  /** Call when the transaction was rolled back. */
  undone(): void
}

export function createLogWriter(db: DatabaseSyncInstance, head: number): LogWriter {
  const insert = db.prepare(
    `INSERT INTO events (position, stream, revision, id, type, data, meta, game, board)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const lastOf = prepareRows(db, 'SELECT max(revision) FROM events WHERE stream = ?')
  const idsOf = prepareRows(
    db,
    'SELECT id, position FROM events WHERE stream = ? AND revision > ? ORDER BY revision LIMIT ?',
  )
  const lastRevisions = lru<string, number>(MAX_REMEMBERED_STREAMS)
  let durableHead = head
  let written: RecentEvent[] = []

  function append({ stream, base, events }: CheckedAppend): AppendResult {
    const last = lastRevision(stream)
    if (last !== base) return repeated({ stream, base, events }, last)
    for (const [index, { event, data, meta, bytes }] of events.entries()) {
      const at = durableHead + written.length + 1
      const revision = base + 1 + index
      const { id, type } = event
      insert.run(at, stream, revision, id, type, data, meta, event.meta.game, event.meta.board ?? null)
      const stored = { id, type, data: event.data, meta: event.meta, stream, revision, position: positionOf(at) }
      written.push({ at, bytes, event: stored })
    }
    const revision = base + events.length
    lastRevisions.set(stream, revision)
    return { kind: 'appended', revision, position: positionOf(durableHead + written.length) }
  }

  /** A retry: acknowledged if every event is stored exactly where this append would write it, otherwise a conflict. */
  function repeated({ stream, base, events }: CheckedAppend, last: number): AppendResult {
    const revision = base + events.length
    if (last < revision) return { kind: 'conflict' }
    const rows: (readonly [id: string, at: number])[] = idsOf.all(stream, base, events.length)
    if (!events.every(({ event }, index) => rows[index]?.[0] === event.id)) return { kind: 'conflict' }
    return { kind: 'appended', revision, position: positionOf(rows.at(-1)?.[1] ?? 0) }
  }

  function lastRevision(stream: string): number {
    const remembered = lastRevisions.get(stream)
    if (remembered !== undefined) return remembered
    const row: readonly [number | null] = lastOf.get(stream)
    return row[0] ?? -1
  }

  function durable(): readonly RecentEvent[] {
    const events = written
    durableHead += events.length
    written = []
    return events
  }

  function undone(): void {
    written = []
    lastRevisions.clear()
  }

  return { append, durable, undone }
}
