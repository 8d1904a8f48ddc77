// The log: records in order, the same records by stream, and the committed length. Accepted records count for the next
// append before they are committed, but readers do not see them.

import { type LogRecord, type Proposed, sizeOf, TOMBSTONE_REVISION } from './record.ts'

/** The first position: a real server has records of its own before the first event. */
const BEGIN = 1_000

/** Bytes of an empty append. */
const BLANK_BYTES = 100

export interface StreamLog {
  readonly name: string
  /** By revision, including records in flight. */
  readonly records: LogRecord[]
  tombstone: LogRecord | null
}

/** One line of the data file: events of one stream, or a record without events. */
export type Entry =
  | {
      readonly stream: string
      readonly position: number
      readonly created: string
      readonly events: readonly Proposed[]
    }
  | { readonly blank: number }

const now = (): string => `${Date.now()}0000`

export class Journal {
  readonly records: LogRecord[] = []
  readonly streams = new Map<string, StreamLog>()
  /** Number of committed records. */
  committed = 0
  /** Position of the next record. */
  end = BEGIN
  /** Records accepted since `taken` was last emptied, for the data file. */
  taken: Entry[] = []
  readonly #blanks = new Set<number>()

  stream(name: string): StreamLog | undefined {
    return this.streams.get(name)
  }

  /** Revision of the last record, including those in flight; -1 if there is none. */
  tip(name: string): number {
    return (this.streams.get(name)?.records.length ?? 0) - 1
  }

  isTombstoned(name: string): boolean {
    if (this.streams.get(name)?.tombstone) return true
    return name.startsWith('$$') && (this.streams.get(name.slice(2))?.tombstone ?? null) !== null
  }

  add(stream: string, events: readonly Proposed[], created = now()): LogRecord[] {
    this.taken.push({ stream, position: this.end, created, events })
    const log = this.#open(stream)
    return events.map((event) => this.#append(log, event, created))
  }

  addOne(stream: string, event: Proposed): LogRecord {
    const created = now()
    this.taken.push({ stream, position: this.end, created, events: [event] })
    return this.#append(this.#open(stream), event, created)
  }

  /** Adds a record without an event; returns its position. */
  addBlank(): number {
    const position = this.end
    this.taken.push({ blank: position })
    this.#blanks.add(position)
    this.end += BLANK_BYTES
    return position
  }

  /** Loads the records of a data file. */
  load(entry: Entry): void {
    if ('blank' in entry) this.addBlank()
    else this.add(entry.stream, entry.events, entry.created)
    this.committed = this.records.length
    this.taken = []
  }

  isCommitted(record: LogRecord): boolean {
    return record.index < this.committed
  }

  /** Index of the first record at or after a position. */
  indexFrom(position: number): number {
    let low = 0
    let high = this.committed
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.records[middle]?.position ?? 0) < position) low = middle + 1
      else high = middle
    }
    return low
  }

  /** True if a record begins here, or the log ends here or earlier. */
  isBoundary(position: number): boolean {
    if (position === 0 || position >= this.end || this.#blanks.has(position)) return true
    return this.records[this.indexFrom(position)]?.position === position
  }

  #append(log: StreamLog, event: Proposed, created: string): LogRecord {
    const isTombstone = event.type === '$streamDeleted'
    const revision = isTombstone ? TOMBSTONE_REVISION : log.records.length
    const index = this.records.length
    const record = { ...event, stream: log.name, revision, position: this.end, index, created, frame: null }
    this.end += sizeOf(log.name, event)
    this.records.push(record)
    if (isTombstone) log.tombstone = record
    else log.records.push(record)
    return record
  }

  #open(name: string): StreamLog {
    let log = this.streams.get(name)
    if (log === undefined) {
      log = { name, records: [], tombstone: null }
      this.streams.set(name, log)
    }
    return log
  }
}
