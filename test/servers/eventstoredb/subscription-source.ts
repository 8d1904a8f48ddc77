// The records of a subscription: the whole log or one stream, from a start position on.

import type { Journal } from './journal.ts'
import type { ReadRequest } from './read-request.ts'
import type { LogRecord } from './record.ts'
import { isSoftDeleted, visibleOf } from './stream-metadata.ts'

export interface Source {
  /** The next committed record, also one that a filter excludes; null: none at present. */
  next(): LogRecord | null
  /** True if a record must be sent. */
  wants(record: LogRecord): boolean
  /** True if there is history to deliver. */
  exists(): boolean
  /** The name of its stream once it has a tombstone and all of it was delivered. */
  deletedStream(): string | null
}

export function allSource(journal: Journal, { from, filter }: ReadRequest): Source {
  const end = journal.records[journal.committed - 1]?.position ?? -1
  // For a start beyond the end all new events are delivered, also those before the start.
  const after = typeof from === 'number' && from <= end ? from : -1
  let index = from === 'start' ? 0 : from === 'end' ? journal.committed : journal.indexFrom(from)
  const wants = (record: LogRecord): boolean => record.position > after && (filter === null || filter.matches(record))
  return {
    wants,
    exists: () => true,
    deletedStream: () => null,
    next: () => {
      while (index < journal.committed) {
        const record = journal.records[index++] ?? null
        if (record !== null && record.position > after) return record
      }
      return null
    },
  }
}

export function streamSource(journal: Journal, stream: string, { from }: ReadRequest): Source {
  const lastNow = (): number => {
    const log = journal.stream(stream)
    return log === undefined ? -1 : visibleOf(journal, log).last
  }
  const after = from === 'start' ? -1 : from === 'end' ? lastNow() : from
  let revision = after + 1
  let historyUpTo = lastNow()
  let tombstoneGiven = false
  const tombstone = (): LogRecord | null => {
    const record = journal.stream(stream)?.tombstone ?? null
    return record !== null && journal.isCommitted(record) ? record : null
  }
  return {
    wants: (record) => record.stream === stream && record.revision > after,
    exists: () => journal.stream(stream) !== undefined && lastNow() >= 0 && !isSoftDeleted(journal, stream),
    deletedStream: () => (tombstoneGiven ? stream : null),
    next: () => {
      const log = journal.stream(stream)
      if (log === undefined) return null
      const { first, last, isFresh } = visibleOf(journal, log)
      while (revision <= last) {
        const record = log.records[revision]
        revision += 1
        // Truncation affects history only: a live subscription delivers everything.
        const isCutOff = revision - 1 <= historyUpTo && (revision - 1 < first || (record && !isFresh(record)))
        if (record !== undefined && !isCutOff) return record
      }
      historyUpTo = -1
      const end = tombstone()
      if (end === null || tombstoneGiven) return null
      tombstoneGiven = true
      return end
    },
  }
}
