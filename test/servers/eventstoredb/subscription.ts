// Catch-up subscriptions: history, then new events, in order and each once. A live subscription whose reader lags is
// dropped, as by the real server.

import { caughtUpFrame, checkpointFrame, confirmationFrame, eventFrame } from './frames.ts'
import type { Journal } from './journal.ts'
import { type Node, whenOver } from './node.ts'
import type { ReadCall } from './read-call.ts'
import type { ReadRequest } from './read-request.ts'
import type { LogRecord } from './record.ts'
import { consumerTooSlow, endedWithoutStatus, handlerThrew, streamDeleted } from './refusals.ts'
import { isSoftDeleted, visibleOf } from './stream-metadata.ts'

/** Throws the refusal of the call. */
export function subscribe(node: Node, call: ReadCall, request: ReadRequest): void {
  const { journal } = node
  const { stream, from } = request
  if (stream !== null && journal.isTombstoned(stream)) throw streamDeleted(stream)
  if (stream === null && typeof from === 'number' && !journal.isBoundary(from)) throw handlerThrew()
  const source = stream === null ? allSource(journal, request) : streamSource(journal, stream, request)
  const subscription = new Subscription(node, call, request, source)
  node.subscriptions.add(subscription)
  node.openCalls.add(subscription)
  whenOver(call, () => {
    node.subscriptions.delete(subscription)
    node.openCalls.delete(subscription)
  })
  call.write(confirmationFrame())
  subscription.silent = node.faults.stallNew
  subscription.go()
}

export class Subscription {
  readonly #node: Node
  readonly #call: ReadCall
  readonly #request: ReadRequest
  readonly #source: Source
  /** Sends neither events nor errors. */
  silent = false
  #live = false
  /** Waits for the reader. */
  #waits = false
  /** Events committed while it waited, since it last had nothing more to send. */
  #behind = 0
  /** True if a checkpoint at position 0 is sent first, as observed for subscriptions from the start. */
  #beginsAtZero: boolean
  #scanned = 0

  constructor(node: Node, call: ReadCall, request: ReadRequest, source: Source) {
    this.#node = node
    this.#call = call
    this.#request = request
    this.#source = source
    this.#beginsAtZero = request.from === 'start'
  }

  /** Called after a commit. */
  committed(records: readonly LogRecord[]): void {
    if (this.silent) return
    if (this.#live && this.#waits) {
      for (const record of records) if (this.#source.wants(record)) this.#behind += 1
      if (this.#behind > this.#node.settings.liveBuffer) {
        this.#fail(consumerTooSlow())
        return
      }
    }
    this.go()
  }

  /** Sends pending records as far as the reader accepts them. */
  go(): void {
    while (!this.silent && !this.#waits && this.#node.running && this.#call.writable && !this.#call.cancelled) {
      const record = this.#source.next()
      if (record === null) {
        this.#reachedEnd()
        return
      }
      if (this.#request.filter !== null) this.#scan(record)
      else this.#sendEvent(record)
    }
  }

  endByStop(): void {
    this.#call.emit('error', endedWithoutStatus())
  }

  #reachedEnd(): void {
    this.#behind = 0
    const deleted = this.#source.deletedStream()
    if (deleted !== null) {
      this.#fail(streamDeleted(deleted))
    } else if (!this.#live && this.#source.exists()) {
      this.#live = true
      this.#send(caughtUpFrame)
    }
  }

  /** With a filter, every record counts towards the next checkpoint, whether it matches or not. */
  #scan(record: LogRecord): void {
    if (this.#beginsAtZero) this.#send(checkpointFrame(0))
    this.#beginsAtZero = false
    if (this.#source.wants(record)) this.#sendEvent(record)
    this.#scanned += 1
    if (this.#scanned < (this.#request.filter?.checkpointEvery ?? 0)) return
    this.#scanned = 0
    this.#send(checkpointFrame(record.position))
  }

  #sendEvent(record: LogRecord): void {
    this.#send(eventFrame(this.#node.journal, record, this.#request.form))
  }

  #send(frame: Buffer): void {
    if (this.#call.write(frame) || this.#waits) return
    this.#waits = true
    this.#call.once('drain', () => {
      this.#waits = false
      this.go()
    })
  }

  #fail(error: Error): void {
    this.silent = true
    this.#call.emit('error', error)
  }
}

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
