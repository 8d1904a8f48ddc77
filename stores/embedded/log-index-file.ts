// The SQLite file of the log's index: the sequence numbers of a stream's events, by a keyed hash of its name, and of a
// game's and a board's, and the times of each block of events. It has no names but ids of games and boards, and can be
// built from the log at any time.

import { hash } from 'node:crypto'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { TimeRange } from '../contract/history.ts'
import { closeDerived, openDerived } from './derived-database.ts'
import { closeExclusive, leaveOpen, mapWhileCached } from './exclusive-database.ts'
import type { IndexedEvent } from './log-schema.ts'
import { prepareInserts } from './prepare-inserts.ts'
import { prepareRows } from './prepare-rows.ts'
import { BLOCK_EVENTS, type Span, timeBlocks } from './time-blocks.ts'
import { openTransactions, type Transactions } from './transactions.ts'
import { type Sync, WriteAhead } from './write-ahead.ts'

/** WAL size in bytes that triggers a WAL checkpoint, which blocks for some milliseconds. */
const CHECKPOINT_FROM = 8 * 2 ** 20
/**
 * Steps of a write in one transaction: a COMMIT writes a page once that several of them changed, and takes about a
 * millisecond on a large log.
 */
const STEPS_PER_TRANSACTION = 8
/** Blocks that are examined at once, in less than a millisecond. */
const BLOCKS_AT_ONCE = 2_048
/** Sorts after every time. */
const NEVER = '\u{10FFFF}'

export interface IndexFileOptions {
  /** The stream of the event with a sequence number; null if the log has no such event. */
  streamAt(sequence: number): string | null
  /** Instead of the keyed hash, for tests. A safe integer. */
  readonly hash?: (stream: string) => number
  /** Instead of fdatasync, for tests. */
  readonly sync?: Sync | undefined
  /** Instead of `CHECKPOINT_FROM`, for tests. */
  readonly checkpointFrom?: number | undefined
  /** As for `ViewsOptions`. */
  readonly mappableBytes?: number | undefined
  /** Called with the connection before anything is read, for tests. */
  readonly onOpened?: ((db: DatabaseSyncInstance) => void) | undefined
}

/** The last event of a part of the log. */
export interface LastEvent {
  readonly sequence: number
  readonly event: string
}

/** A block that was searched for: found, or not within `rest`, which is null if there is nothing left to examine. */
export interface FoundBlock {
  readonly found: Span | null
  readonly rest: number | null
}

/** Every read ignores the rows of a batch that is not complete. */
export class LogIndexFile {
  readonly path: string
  readonly #db: DatabaseSyncInstance
  readonly #wal: WriteAhead
  readonly #sql: IndexStatements
  readonly #transactions: Transactions
  readonly #options: Pick<Required<IndexFileOptions>, 'streamAt' | 'hash'> & { readonly checkpointFrom: number }
  #written: number
  #isSyncFailed = false

  /** Opens or creates the file. Throws FolderInUse if it is already open. */
  constructor(path: string, options: IndexFileOptions) {
    const { streamAt, hash: given, sync, onOpened, checkpointFrom = CHECKPOINT_FROM, mappableBytes } = options
    this.path = path
    this.#db = openDerived(path, INDEX_SCHEMA)
    try {
      onOpened?.(this.#db)
      const onCheckpointed = mapWhileCached(this.#db, path, mappableBytes)
      this.#wal = new WriteAhead(this.#db, path, { sync, onCheckpointed, isSummed: true })
      this.#sql = prepareIndex(this.#db)
      this.#transactions = openTransactions(this.#db)
      const [salt]: readonly [string] = this.#sql.salt.get()
      const keyed = (stream: string) => hash('sha256', salt + stream, 'buffer').readIntBE(0, HASH_BYTES)
      this.#options = { streamAt, hash: given ?? keyed, checkpointFrom }
      this.#written = this.progress('written')?.sequence ?? 0
    } catch (error) {
      if (this.#db.isOpen) closeExclusive(this.#db)
      throw error
    }
  }

  /** The sequence number of the last event that the file has; 0 if it has none. */
  get written(): number {
    return this.#written
  }

  get hasTimes(): boolean {
    return (this.progress('timed')?.sequence ?? 0) === this.#written
  }

  /** Null if nothing was written, or no batch was started. */
  progress(name: 'written' | 'started' | 'timed'): LastEvent | null {
    const row: readonly [number, string] | undefined = this.#sql.progress.get(name)
    return row === undefined ? null : { sequence: row[0], event: row[1] }
  }

  /** Sequence numbers of a stream's events from a revision on, in order. */
  ofStream(stream: string, from: number, limit: number): number[] {
    const own = this.#options.hash(stream)
    const rows: (readonly [number, number])[] = this.#sql.ofStream.all(own, from, this.#written, Math.max(2, limit))
    const [first, second] = rows
    if (first === undefined) return []
    // Each stream has all revisions from 0 up to its last. So if two streams share a hash, either both have the first
    // revision found, or all of the rows are of one of them.
    if (first[0] === second?.[0]) return this.#ofSharedHash(own, stream, from, limit)
    return this.#options.streamAt(first[1]) === stream ? rows.slice(0, limit).map(([, sequence]) => sequence) : []
  }

  /** Sequence numbers after one, in order, of the events with a name from `gameName` or `boardName`. */
  ofFilter(name: string, after: number, limit: number): number[] {
    const rows: (readonly [number])[] = this.#sql.ofFilter.all(name, after, this.#written, limit)
    return rows.map(([sequence]) => sequence)
  }

  /** The `count`-th of those sequence numbers; null if there are fewer. */
  nthOfFilter(name: string, after: number, count: number): number | null {
    const row: readonly [number] | undefined = this.#sql.nth.get(name, after, this.#written, count - 1)
    return row?.[0] ?? null
  }

  countOfFilter(name: string, after: number): number {
    const [count]: readonly [number] = this.#sql.count.get(name, after, this.#written)
    return count
  }

  /**
   * A sequence number, not below `after`: no event after `after`, up to and including it, has a time in the range.
   * Skips whole blocks. One call examines at most `BLOCKS_AT_ONCE` of them.
   */
  skip(after: number, { since, until }: TimeRange): number {
    const first = Math.floor(after / BLOCK_EVENTS)
    const end = Math.min(first + BLOCKS_AT_ONCE, Math.floor(this.#written / BLOCK_EVENTS))
    if (first >= end) return after
    const row: readonly [number] | undefined = this.#sql.firstBlockIn.get(first, end, since ?? '', until ?? NEVER)
    return Math.max(after, (row?.[0] ?? end) * BLOCK_EVENTS)
  }

  /** The last of those sequence numbers up to one; null if there is none. */
  lastOfFilter(name: string, upTo: number): number | null {
    const row: readonly [number] | undefined = this.#sql.lastOfFilter.get(name, 0, Math.min(upTo, this.#written))
    return row?.[0] ?? null
  }

  /**
   * The last block that may have a time up to an instant, as far as it is after one sequence number and up to another.
   * One call examines at most `BLOCKS_AT_ONCE` blocks. `rest`: null, or up to where to call it again, if it found none.
   */
  lastBlockBy({ after, upTo }: Span, instant: string): FoundBlock {
    const end = Math.min(upTo, this.#written)
    if (end <= after) return { found: null, rest: null }
    const [least, last] = [Math.floor(after / BLOCK_EVENTS), Math.floor((end - 1) / BLOCK_EVENTS)]
    const first = Math.max(least, last - BLOCKS_AT_ONCE + 1)
    const row: readonly [number] | undefined = this.#sql.lastBlockBy.get(first, last, instant)
    if (row === undefined) return { found: null, rest: first === least ? null : first * BLOCK_EVENTS }
    const start = row[0] * BLOCK_EVENTS
    return { found: { after: Math.max(after, start), upTo: Math.min(end, start + BLOCK_EVENTS) }, rest: null }
  }

  /** The blocks by their latest times, the latest first. O(blocks) for the first one. */
  *newestBlocks(): Generator<{ readonly block: number; readonly latest: string }> {
    const rows: Iterable<readonly [number, string]> = this.#sql.newestBlocks.iterate()
    for (const [block, latest] of rows) yield { block, latest }
  }

  /**
   * Writes the next events, which follow `written`, in steps of at most `rows` rows, some of them in one transaction.
   * In the order of their keys, the rows of a step are in few pages. If not all steps are run, the next batch must
   * begin with the same events. Between the steps the file may be read.
   */
  *write(events: readonly IndexedEvent[], rows: number): Generator<void> {
    const last = events.at(-1)
    if (last === undefined) return
    this.#transactions.run(() => this.#sql.setStarted.run(last.sequence, last.id))
    yield* this.#transactions.steps(this.#steps(events, rows), STEPS_PER_TRANSACTION)
    this.#transactions.run(() => {
      this.#sql.setWritten.run(last.sequence, last.id)
      this.#sql.setTimed.run(last.sequence, last.id)
    })
    this.#written = last.sequence
  }

  /**
   * Checkpoints a large WAL, unless a transaction is open. Nothing may be written meanwhile. If it rejects, the WAL is
   * never checkpointed again.
   */
  async checkpointWhereDue(): Promise<void> {
    if (this.#db.isTransaction || !this.#wal.isCheckpointDue(this.#options.checkpointFrom)) return
    try {
      await this.#wal.sync()
      await this.#wal.checkpoint()
    } catch (error) {
      this.#isSyncFailed = true
      throw error
    }
  }

  close(): void {
    try {
      if (this.#isSyncFailed) leaveOpen(this.#db)
      else closeDerived(this.#db, this.#wal)
    } finally {
      this.#wal.close()
    }
  }

  /** The sequence numbers of one of several streams with the same hash. The log tells them apart. */
  #ofSharedHash(own: number, stream: string, from: number, limit: number): number[] {
    const found: number[] = []
    for (const [, sequence] of this.#sql.ofStream.iterate(own, from, this.#written, -1)) {
      if (found.length >= limit) break
      if (this.#options.streamAt(sequence) === stream) found.push(sequence)
    }
    return found
  }

  /** Each is run before the next one is made. */
  *#steps(events: readonly IndexedEvent[], rows: number): Generator<() => void> {
    yield* this.#revisionSteps(events, rows)
    for (const group of chunks(events, EVENTS_PER_STEP)) {
      for (const part of chunks(filterRowsOf(group), rows)) yield () => this.#addFilterRows(part)
    }
    yield () => {
      for (const { block, earliest, latest } of timeBlocks(events)) this.#sql.addTimes.run(block, earliest, latest)
    }
  }

  *#revisionSteps(events: readonly IndexedEvent[], rows: number): Generator<() => void> {
    const ranges = new RevisionRanges(events.length)
    for (const part of chunks(events, EVENTS_PER_STEP)) {
      yield () => {
        for (const event of part) ranges.add(this.#options.hash(event.stream), event)
      }
    }
    for (const range of ranges.sorted()) {
      for (const part of chunks(range, rows)) {
        yield () => {
          this.#sql.addRevisions(part.flatMap(({ hash: own, revision, sequence }) => [own, revision, sequence]))
        }
      }
    }
  }

  #addFilterRows(rows: readonly FilterRow[]): void {
    const numbers = new Map<string, number>()
    const values: number[] = []
    for (const { filter, sequence } of rows) {
      const number = numbers.get(filter) ?? this.#numberOf(filter)
      numbers.set(filter, number)
      values.push(number, sequence)
    }
    this.#sql.addToFilters(values)
  }

  #numberOf(filter: string): number {
    const row: readonly [number] | undefined = this.#sql.number.get(filter)
    return row?.[0] ?? Number(this.#sql.addFilter.run(filter).lastInsertRowid)
  }
}

// Makes the rows of a batch of events for the file of the log's index. Rows with near keys follow each other, because
// they share pages.

/** Bytes of the hash of a stream name. SQLite stores an integer of this size without padding. */
const HASH_BYTES = 6
/** Events whose rows are made in one step, in about a millisecond. */
const EVENTS_PER_STEP = 1_024
/** Rows that are sorted in one step. */
const ROWS_PER_SORT = 512

interface RevisionRow {
  /** Of the name of the stream: an integer of `HASH_BYTES` bytes with a sign. */
  readonly hash: number
  readonly revision: number
  readonly sequence: number
}

/** Rows of `revisions`, in ranges of their hashes, each of which is sorted when it is needed. */
class RevisionRanges {
  readonly #ranges: readonly RevisionRow[][]

  /** `events`: the number of rows that will be added. */
  constructor(events: number) {
    this.#ranges = Array.from({ length: Math.ceil(events / ROWS_PER_SORT) }, () => [])
  }

  add(hash: number, { revision, sequence }: IndexedEvent): void {
    const { length } = this.#ranges
    const share = hash / 2 ** (8 * HASH_BYTES) + 0.5
    const range = Math.max(0, Math.min(length - 1, Math.floor(share * length)))
    this.#ranges[range]?.push({ hash, revision, sequence })
  }

  /** All rows by hash, then by revision. */
  *sorted(): Generator<readonly RevisionRow[]> {
    for (const range of this.#ranges) yield range.sort((a, b) => a.hash - b.hash || a.revision - b.revision)
  }
}

interface FilterRow {
  readonly filter: string
  readonly sequence: number
}

/** Rows of the table `members`, filter by filter. */
function filterRowsOf(events: readonly IndexedEvent[]): FilterRow[] {
  const byFilter = new Map<string, FilterRow[]>()
  for (const { sequence, filters } of events) {
    for (const filter of filters) {
      const rows = byFilter.get(filter)
      if (rows === undefined) byFilter.set(filter, [{ filter, sequence }])
      else rows.push({ filter, sequence })
    }
  }
  return [...byFilter.values()].flat()
}

export function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/**
 * `written`: the last event that the file has. `started`: the last event of a batch of which the file may have a part.
 * `timed`: the last event with its time; another one than `written` in files of versions that stored no times. The salt
 * keys the hash, so that nobody can choose stream names that have equal hashes.
 */
const INDEX_SCHEMA = `
  CREATE TABLE IF NOT EXISTS revisions (
    stream INTEGER NOT NULL, revision INTEGER NOT NULL, sequence INTEGER NOT NULL,
    PRIMARY KEY (stream, revision, sequence)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS filters (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS members (
    filter INTEGER NOT NULL, sequence INTEGER NOT NULL,
    PRIMARY KEY (filter, sequence)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS times (block INTEGER PRIMARY KEY, earliest TEXT NOT NULL, latest TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS progress (name TEXT PRIMARY KEY, sequence INTEGER NOT NULL, event TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS salt (value TEXT NOT NULL);
  INSERT INTO salt SELECT hex(randomblob(16)) WHERE NOT EXISTS (SELECT 1 FROM salt);
`

type IndexStatements = ReturnType<typeof prepareIndex>

function prepareIndex(db: DatabaseSyncInstance) {
  const rows = (sql: string) => prepareRows(db, sql)
  const sequences =
    'members WHERE filter = (SELECT number FROM filters WHERE name = ?) AND sequence > ? AND sequence <= ?'
  const ofStream = 'FROM revisions WHERE stream = ?'
  const set = (name: string) =>
    `INSERT INTO progress (name, sequence, event) VALUES ('${name}', ?, ?) ON CONFLICT (name) DO UPDATE
     SET sequence = excluded.sequence, event = excluded.event WHERE excluded.sequence > sequence`
  return {
    salt: rows('SELECT value FROM salt'),
    progress: rows('SELECT sequence, event FROM progress WHERE name = ?'),
    setStarted: db.prepare(set('started')),
    setWritten: db.prepare(set('written')),
    setTimed: db.prepare(set('timed')),
    number: rows('SELECT number FROM filters WHERE name = ?'),
    addFilter: db.prepare('INSERT INTO filters (name) VALUES (?)'),
    // A batch that was not completed is written again.
    addRevisions: prepareInserts(db, 'INSERT OR IGNORE INTO revisions (stream, revision, sequence)', 3),
    addToFilters: prepareInserts(db, 'INSERT OR IGNORE INTO members (filter, sequence)', 2),
    addTimes: db.prepare(
      `INSERT INTO times (block, earliest, latest) VALUES (?, ?, ?) ON CONFLICT (block) DO UPDATE
       SET earliest = min(earliest, excluded.earliest), latest = max(latest, excluded.latest)`,
    ),
    firstBlockIn: rows(
      'SELECT block FROM times WHERE block >= ? AND block < ? AND latest >= ? AND earliest < ? ORDER BY block LIMIT 1',
    ),
    lastBlockBy: rows(
      'SELECT block FROM times WHERE block >= ? AND block <= ? AND earliest <= ? ORDER BY block DESC LIMIT 1',
    ),
    newestBlocks: rows('SELECT block, latest FROM times ORDER BY latest DESC'),
    ofStream: rows(
      `SELECT revision, sequence ${ofStream} AND revision >= ? AND sequence <= ? ORDER BY revision, sequence LIMIT ?`,
    ),
    ofFilter: rows(`SELECT sequence FROM ${sequences} ORDER BY sequence LIMIT ?`),
    lastOfFilter: rows(`SELECT sequence FROM ${sequences} ORDER BY sequence DESC LIMIT 1`),
    nth: rows(`SELECT sequence FROM ${sequences} ORDER BY sequence LIMIT 1 OFFSET ?`),
    count: rows(`SELECT count(*) FROM ${sequences}`),
  }
}
