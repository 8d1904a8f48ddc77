// The effect of stream metadata on reads: how much is truncated, and whether the stream is deleted.

import type { Journal, StreamLog } from './journal.ts'
import type { LogRecord } from './record.ts'

/** `truncateBefore` of a deleted stream: the largest 64-bit integer, as precisely as JSON allows. */
const DELETED = 2 ** 63
const DELETED_TEXT = '9223372036854775807'

const TICKS_PER_SECOND = 10_000_000

interface Metadata {
  readonly $maxCount?: number
  /** Seconds. */
  readonly $maxAge?: number
  readonly $tb?: number
}

const parsed = new WeakMap<LogRecord, Metadata>()

/** The current metadata; an empty object if there are none or they are not JSON. */
function metadataOf(journal: Journal, stream: string): Metadata {
  const record = journal.stream(`$$${stream}`)?.records.at(-1)
  if (record === undefined) return {}
  const known = parsed.get(record)
  if (known !== undefined) return known
  const metadata = parse(record)
  parsed.set(record, metadata)
  return metadata
}

export function isSoftDeleted(journal: Journal, stream: string): boolean {
  return (metadataOf(journal, stream).$tb ?? 0) >= DELETED
}

/** The metadata that delete a stream, with the other fields kept. */
export function deletingMetadata(journal: Journal, stream: string): string {
  const { $tb: _, ...rest } = metadataOf(journal, stream)
  const text = JSON.stringify(rest)
  return `{"$tb":${DELETED_TEXT}${text === '{}' ? '}' : `,${text.slice(1)}`}`
}

/** The metadata of a stream that continues from this revision after a deletion. */
export function recreatingMetadata(journal: Journal, stream: string, firstRevision: number): string {
  return JSON.stringify({ ...metadataOf(journal, stream), $tb: firstRevision })
}

interface Visible {
  /** First and last readable revision; empty if last < first. */
  readonly first: number
  readonly last: number
  /** True if an event is young enough for $maxAge. */
  readonly isFresh: (record: LogRecord) => boolean
}

/** The readable range of a stream, committed events only. */
export function visibleOf(journal: Journal, log: StreamLog): Visible {
  const { $maxCount, $maxAge, $tb } = metadataOf(journal, log.name)
  let last = log.records.length - 1
  while (last >= 0 && (log.records[last]?.index ?? 0) >= journal.committed) last--
  // Only the newest metadata count; a $maxAge of 0 hides nothing.
  const kept = log.name.startsWith('$$') ? 1 : $maxCount
  const counted = kept === undefined ? 0 : last + 1 - kept
  const oldest = $maxAge === undefined || $maxAge === 0 ? null : (Date.now() / 1000 - $maxAge) * TICKS_PER_SECOND
  return {
    first: Math.max($tb ?? 0, counted, 0),
    last,
    isFresh: (record) => oldest === null || Number(record.created) > oldest,
  }
}

function parse(record: LogRecord): Metadata {
  try {
    const value: unknown = JSON.parse(Buffer.from(record.data).toString('utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
