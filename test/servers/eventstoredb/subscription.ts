// Catch-up subscriptions: history, then new events, in order and each once. A live subscription whose reader lags is
// dropped, as by the real server.

import { caughtUpFrame, checkpointFrame, confirmationFrame, eventFrame } from './frames.ts'
import { type Node, whenOver } from './node.ts'
import type { ReadCall } from './read-call.ts'
import type { ReadRequest } from './read-request.ts'
import type { LogRecord } from './record.ts'
import { consumerTooSlow, endedWithoutStatus, handlerThrew, streamDeleted } from './refusals.ts'
import { allSource, type Source, streamSource } from './subscription-source.ts'

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
