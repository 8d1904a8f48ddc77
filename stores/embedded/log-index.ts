// Finds the events of a stream, a game or a board of the embedded log: what is not in the index file yet is in memory.
// The file is written behind the log, in batches, a small transaction in each turn of the event loop.

import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { StoreUnavailable } from '../contract/faults.ts'
import type { TimeRange } from '../contract/history.ts'
import { isDamaged, NotAsWritten } from './damaged.ts'
import { DerivedDamaged, removeDerived } from './derived-database.ts'
import { type IndexFileOptions, LogIndexFile } from './log-index-file.ts'
import type { LogReader } from './log-reader.ts'
import type { IndexedEvent } from './log-schema.ts'
import { DiskFull, isDiskFull } from './sqlite-error.ts'
import { UnwrittenIndex } from './unwritten-index.ts'

/**
 * Events of a batch, which is written as soon as this many are in memory. In a larger one more rows share a page of the
 * file, but a start after a kill reads more events again.
 */
export const BATCH = 40_960
/** Rows of one transaction, which takes less than a millisecond. */
const ROWS_PER_TURN = 128
/** Of the events beyond two batches, the share that one transaction writes, so that appends cannot outpace it. */
const BACKLOG_SHARE = 1 / 8
/**
 * Maximum events in memory, some 600 bytes each. There are as many only if the file cannot be written, or its disk is
 * slow.
 */
const MAX_UNWRITTEN = 100_000
/**
 * Milliseconds that an append waits until there are fewer, because a WAL checkpoint of the file may wait for its disk.
 */
const SPACE_WAIT_MS = 5_000
/** Milliseconds until a write that failed on a full disk is retried. */
const RETRY_MS = 1_000

interface LogIndexOptions {
  /** Called once if the file can no longer be written or read: the process should stop then. */
  readonly onFailure: (error: Error) => void
  /** Instead of the constants, for tests. */
  readonly batch?: number | undefined
  readonly maxUnwritten?: number | undefined
  readonly spaceWaitMs?: number | undefined
}

export class LogIndex {
  readonly #file: LogIndexFile
  readonly #options: LogIndexOptions
  readonly #unwritten: UnwrittenIndex
  #writing: Promise<void> | null = null
  #retry: NodeJS.Timeout | null = null
  readonly #waiting = new Set<(hasSpace: boolean) => void>()
  #failed = false
  #isClosed = false

  /** `file` has all events of the log. */
  constructor(file: LogIndexFile, options: LogIndexOptions) {
    this.#file = file
    this.#options = options
    this.#unwritten = new UnwrittenIndex(options.batch ?? BATCH)
  }

  /** Whether an append has to call `waitForSpace` first. */
  get isFull(): boolean {
    return this.#unwritten.size >= (this.#options.maxUnwritten ?? MAX_UNWRITTEN)
  }

  /**
   * Resolves with true when more events may be appended to the log; with false if the disk of the file is full or too
   * slow.
   */
  async waitForSpace(): Promise<boolean> {
    if (!this.isFull) return true
    if (this.#writing === null) return false
    const { spaceWaitMs = SPACE_WAIT_MS } = this.#options
    return new Promise((resolve) => {
      const answer = (hasSpace: boolean) => {
        this.#waiting.delete(answer)
        clearTimeout(timer)
        resolve(hasSpace)
      }
      const timer = setTimeout(answer, spaceWaitMs, false)
      this.#waiting.add(answer)
    })
  }

  /** Adds durable events in log order, without gaps. */
  add(events: readonly IndexedEvent[]): void {
    this.#unwritten.add(events)
    this.#writeWhereDue()
  }

  /** Sequence numbers of a stream's events from a revision on, in order. */
  ofStream(stream: string, from: number, limit: number): number[] {
    const written = this.#read(() => this.#file.ofStream(stream, from, limit))
    return [...written, ...this.#unwritten.ofStream(stream, from, limit - written.length)]
  }

  /** Sequence numbers after one, in order, of the events with a name from `gameName` or `boardName`. */
  ofFilter(name: string, after: number, limit: number): number[] {
    const written = this.#read(() => this.#file.ofFilter(name, after, limit))
    return [...written, ...this.#unwritten.ofFilter(name, after, limit - written.length)]
  }

  /** The `count`-th of those sequence numbers; null if there are fewer. */
  nthOfFilter(name: string, after: number, count: number): number | null {
    return this.#read(() => {
      const found = this.#file.nthOfFilter(name, after, count)
      if (found !== null) return found
      const unwritten = count - this.#file.countOfFilter(name, after)
      return this.#unwritten.ofFilter(name, after, unwritten)[unwritten - 1] ?? null
    })
  }

  /** A sequence number, not below `after`, up to which no event after `after` has a time in the range. */
  skip(after: number, times: TimeRange): number {
    return this.#unwritten.skip(
      this.#read(() => this.#file.skip(after, times)),
      times,
    )
  }

  /**
   * The latest time of the events; '' if there is none. A time after `plausibleUntil` that the file has is compared
   * with the events of its block, because a damaged file may hold any time.
   */
  newestTime(plausibleUntil: string, timesOfBlock: (block: number) => readonly string[]): string {
    let newest = this.#unwritten.newestTime
    this.#read(() => {
      for (const { block, latest } of this.#file.newestBlocks()) {
        if (latest <= newest) return
        if (latest <= plausibleUntil) {
          newest = latest
          return
        }
        for (const time of timesOfBlock(block)) if (time > newest) newest = time
      }
    })
    return newest
  }

  /** Writes what is in memory. What cannot be written, the next start reads from the log. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#retry !== null) clearTimeout(this.#retry)
    await this.#writing
    try {
      if (!this.#failed) await this.#writeBatches(1)
    } catch (error) {
      if (!isDiskFull(error)) this.#fail(error)
    } finally {
      this.#file.close()
    }
  }

  #writeWhereDue(): void {
    if (this.#unwritten.size < this.#unwritten.batchSize || this.#retry !== null || this.#failed || this.#isClosed)
      return
    this.#writing ??= this.#write()
  }

  async #write(): Promise<void> {
    try {
      await this.#writeBatches(this.#unwritten.batchSize)
    } catch (error) {
      if (isDiskFull(error)) this.#retryLater()
      else this.#fail(error)
    } finally {
      this.#writing = null
      this.#wake()
    }
  }

  #wake(): void {
    for (const answer of this.#waiting) answer(!this.isFull)
  }

  /** Writes batches until fewer than `from` events are in memory. */
  async #writeBatches(from: number): Promise<void> {
    while (this.#unwritten.size >= from) {
      const backlog = Math.max(0, this.#unwritten.size - 2 * this.#unwritten.batchSize)
      const rows = Math.max(ROWS_PER_TURN, Math.ceil(backlog * BACKLOG_SHARE))
      for (const _ of this.#file.write(this.#unwritten.firstBatch, rows)) {
        await yieldToEventLoop()
        await this.#file.checkpointWhereDue()
      }
      this.#unwritten.dropFirstBatch()
      if (!this.isFull) this.#wake()
      await this.#file.checkpointWhereDue()
    }
  }

  #retryLater(): void {
    if (this.#isClosed) return
    this.#retry = setTimeout(() => {
      this.#retry = null
      this.#writeWhereDue()
    }, RETRY_MS)
    this.#retry.unref()
  }

  #read<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw isDamaged(error) ? this.#fail(error) : error
    }
  }

  /**
   * Call it if the index contradicts the log; `what`: without names of streams. Removes the file, and reports it once.
   * Returns the error to throw.
   */
  reportDamage(what: string): Error {
    return this.#fail(new NotAsWritten(what))
  }

  #fail(cause: unknown): Error {
    const { path } = this.#file
    const failure = isDamaged(cause)
      ? new DerivedDamaged(
          path,
          `is damaged (${String((cause as Error).message)}) and was removed: the next start builds it again`,
          cause,
        )
      : new StoreUnavailable(`${path} cannot be written`, cause)
    if (this.#failed) return failure
    this.#failed = true
    if (isDamaged(cause)) removeDerived(path)
    this.#options.onFailure(failure)
    return failure
  }
}

/** Events that are read and written together while the file is built, in some megabytes of memory. */
const BUILD_BATCH = 20_000

export interface OpenIndexOptions extends LogIndexOptions, Omit<IndexFileOptions, 'streamAt'> {
  /** Called after each batch with the number of events that the file has, of all events of the log. */
  readonly onProgress: (indexed: number, total: number) => void
  /** Called if the file was damaged. */
  readonly onRepaired: (damage: DerivedDamaged) => void
}

/**
 * Writes the events that the file does not have yet. A file that is damaged, or that was written for another log, is
 * removed and built again. Throws FolderInUse if it is already open, and DiskFull if its disk is full.
 */
export async function openLogIndex(path: string, reader: LogReader, options: OpenIndexOptions): Promise<LogIndex> {
  try {
    return await openAndBuild(path, reader, options)
  } catch (error) {
    if (isDiskFull(error)) throw new DiskFull(path, error)
    if (!isDamaged(error)) throw error
    const remedy = 'and was removed: it is built again from the log'
    options.onRepaired(new DerivedDamaged(path, `is damaged (${(error as Error).message}) ${remedy}`, error))
    removeDerived(path)
    return openAndBuild(path, reader, options)
  }
}

async function openAndBuild(path: string, reader: LogReader, options: OpenIndexOptions): Promise<LogIndex> {
  const file = openOfLog(path, reader, options)
  try {
    await build(file, reader, options.onProgress)
    return new LogIndex(file, options)
  } catch (error) {
    file.close()
    throw error
  }
}

/** Opens the file if all that was ever written to it is of this log and has its times. Otherwise creates it again. */
function openOfLog(path: string, reader: LogReader, options: OpenIndexOptions): LogIndexFile {
  const fileOptions = { ...options, streamAt: reader.streamAt }
  const file = new LogIndexFile(path, fileOptions)
  const isOfLog = (['written', 'started'] as const).every((name) => {
    const last = file.progress(name)
    return last === null || reader.at([last.sequence])[0]?.id === last.event
  })
  if (isOfLog && file.hasTimes) return file
  file.close()
  removeDerived(path)
  return new LogIndexFile(path, fileOptions)
}

async function build(file: LogIndexFile, reader: LogReader, onProgress: OpenIndexOptions['onProgress']): Promise<void> {
  const head = reader.lastSequence()
  while (file.written < head) {
    const events = reader.indexed({ after: file.written, head, limit: BUILD_BATCH })
    for (const _ of file.write(events, Number.POSITIVE_INFINITY)) await yieldToEventLoop()
    await file.checkpointWhereDue()
    onProgress(file.written, head)
  }
}
