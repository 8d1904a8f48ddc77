// Writes the embedded log: decides each append against the committed state, assigns positions, and publishes events
// when their group is durable.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { StoredEvent } from '../../domain/event.ts'
import { lru } from '../../runtime/lru.ts'
import type { AppendResult } from '../contract/log.ts'
import type { CheckedAppend } from '../support/log-arguments.ts'
import type { LogReader } from './log-reader.ts'
import { EVENT_COLUMNS, positionOf } from './log-schema.ts'
import { prepareInserts } from './prepare-inserts.ts'
import type { RecentEvent } from './recent-events.ts'
import type { StreamReads } from './stream-reads.ts'

/**
 * Last revisions cached, of streams that were appended to or read to their end. The least recently used are dropped.
 */
const MAX_CACHED_STREAMS = 65_536

const INSERT = `INSERT INTO events (${EVENT_COLUMNS})`
const COLUMNS = EVENT_COLUMNS.split(',').length

export interface LogWriter {
  /**
   * Decides and writes appends, each as if those before it were written. Call it inside a transaction; the results are
   * valid once that is durable.
   */
  append(appends: readonly CheckedAppend[]): AppendResult[]
  /**
   * Caches the last revision of a stream that a read of durable events found. Call it in the same turn as that read.
   * Ignored if the stream is cached or has events in the open transaction: those are newer. O(1).
   */
  cacheLastRevision(stream: string, revision: number): void
  /** The cached last revision of a stream, of an append that may not be durable yet; undefined if none is cached. */
  cachedRevision(stream: string): number | undefined
  /** Call when the transaction is durable. Returns its events, in order. */
  durable(): readonly RecentEvent[]
  /** Call when the transaction was rolled back. */
  undone(): void
}

/** `streams` reads durable events. */
export function createLogWriter(
  db: DatabaseSyncInstance,
  streams: StreamReads,
  reader: Pick<LogReader, 'lastSequence'>,
): LogWriter {
  const insert = prepareInserts(db, INSERT, COLUMNS)
  const lastRevisions = lru<string, number>(MAX_CACHED_STREAMS)
  let durableHead = reader.lastSequence()
  /** The events of the open transaction, which the index does not have yet: all, and by stream. */
  let written: RecentEvent[] = []
  const writtenOf = new Map<string, StoredEvent[]>()

  function append(appends: readonly CheckedAppend[]): AppendResult[] {
    const values: (string | number)[] = []
    const results = appends.map((one) => appendOne(one, values))
    insert(values)
    return results
  }

  /** `values`: the values of its rows are added to them. */
  function appendOne(one: CheckedAppend, values: (string | number)[]): AppendResult {
    const { stream, base, isMade, events } = one
    const last = lastRevision(stream, isMade)
    if (last !== base) return repeated(one, last, storedAfter)
    const ofStream = writtenOf.get(stream) ?? []
    writtenOf.set(stream, ofStream)
    for (const [nth, { event, data, meta, bytes }] of events.entries()) {
      const sequence = durableHead + written.length + 1
      const revision = base + 1 + nth
      const { id, type } = event
      values.push(sequence, stream, revision, id, type, data, meta)
      const stored = { id, type, data: event.data, meta: event.meta, stream, revision, position: positionOf(sequence) }
      written.push({ sequence, bytes, event: stored })
      ofStream.push(stored)
    }
    const revision = base + events.length
    lastRevisions.set(stream, revision)
    return { kind: 'appended', revision, position: positionOf(durableHead + written.length) }
  }

  function storedAfter(stream: string, revision: number, limit: number): StoredEvent[] {
    const inGroup = (writtenOf.get(stream) ?? []).filter((event) => event.revision > revision)
    return [...streams.read(stream, revision + 1, limit), ...inGroup]
  }

  function cacheLastRevision(stream: string, revision: number): void {
    if (!lastRevisions.has(stream) && !writtenOf.has(stream)) lastRevisions.set(stream, revision)
  }

  function lastRevision(stream: string, isMade: boolean): number {
    return lastRevisions.get(stream) ?? writtenOf.get(stream)?.at(-1)?.revision ?? streams.lastRevision(stream, isMade)
  }

  function durable(): readonly RecentEvent[] {
    const events = written
    durableHead += events.length
    written = []
    writtenOf.clear()
    return events
  }

  function undone(): void {
    written = []
    writtenOf.clear()
    lastRevisions.clear()
  }

  return { append, cacheLastRevision, cachedRevision: (stream) => lastRevisions.get(stream), durable, undone }
}

/** A retry: acknowledged if every event is stored exactly where this append would write it, otherwise a conflict. */
function repeated(
  { stream, base, events }: CheckedAppend,
  last: number,
  storedAfter: (stream: string, revision: number, limit: number) => readonly StoredEvent[],
): AppendResult {
  const revision = base + events.length
  if (last < revision) return { kind: 'conflict' }
  const stored = storedAfter(stream, base, events.length)
  if (!events.every(({ event }, nth) => stored[nth]?.id === event.id)) return { kind: 'conflict' }
  return { kind: 'appended', revision, position: stored[events.length - 1]?.position ?? positionOf(0) }
}
