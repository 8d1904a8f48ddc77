// The one BatchAppend call that carries all appends of a connection; answers come in any order. An append settles by
// its answer, by the end of the call, or by its own timer: none of these alone is reliable.

import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { Position } from '../../domain/event.ts'
import { NotSent } from '../contract/log.ts'
import type { CheckedAppend } from '../support/log-arguments.ts'
import type { BatchStream, EventStoreConnection } from './event-store-connection.ts'
import type { CallWatch } from './line.ts'
import { hexOfDecimal, positionOf } from './position.ts'
import { NoAnswer } from './refusals.ts'
import { batchRequest } from './requests.ts'

/** The server drops appends as too late if its clock is ahead of ours by more than this. */
const CLOCK_TOLERANCE_MS = 5_000
const CLOCKS_DIFFER = "Its clock may be far ahead of this machine's: set both by the network's time"
const TYPES = 'event_store.client.'

export interface Written {
  readonly revision: number
  /** Null if the server does not report it. */
  readonly position: Position | null
}

/** The stream is at another revision; nothing was written. */
export class WrongRevision extends Error {}

/** The user lacks the permission to append; nothing was written. */
export class AccessDenied extends Error {}

export interface Batch {
  /**
   * Rejects with WrongRevision, or with NotSent if it is too large for this server. Otherwise the outcome is unknown.
   */
  append(append: CheckedAppend, ms: number): Promise<Written>
}

interface PendingOptions {
  readonly append: CheckedAppend
  readonly number: number
  readonly ms: number
  settled(outcome: Written | Error): void
  /** Called with itself and its start time (`performance.now()`) if it was not answered in time. */
  silent(append: PendingAppend, since: number): void
}

/** One append until its outcome is known. */
class PendingAppend {
  /** The call it went out on; null until then. */
  call: BatchStream | null = null
  readonly #options: PendingOptions
  readonly #startedMs = performance.now()
  readonly #until: Date
  readonly #timer: NodeJS.Timeout

  constructor(options: PendingOptions) {
    const { append, ms, silent } = options
    this.#options = options
    this.#until = new Date(Date.now() + ms + CLOCK_TOLERANCE_MS)
    this.#timer = setTimeout(() => {
      this.settle(new NoAnswer(`append to ${append.stream}`, ms))
      silent(this, this.#startedMs)
    }, ms)
  }

  get stream(): string {
    return this.#options.append.stream
  }

  /** Whether a server that says that the deadline is past says so far too early. */
  get isEarly(): boolean {
    return performance.now() - this.#startedMs < this.#options.ms / 2
  }

  send(call: BatchStream): void {
    this.call = call
    call.write(batchRequest(this.#options.append, correlationOf(this.#options.number), this.#until))
  }

  settle(outcome: Written | Error): void {
    clearTimeout(this.#timer)
    this.#options.settled(outcome)
  }
}

/** `watch` learns of each append and answer on the connection. */
export function openBatch(connection: EventStoreConnection, watch: CallWatch): Batch {
  const pending = new Map<number, PendingAppend>()
  /** Calls that take no further appends, until those on them have settled, within the deadline of the last one. */
  const replaced = new Set<BatchStream>()
  let current: BatchStream | null = null
  let answeredMs = 0
  let isOpening = false
  let last = 0

  function append(append: CheckedAppend, ms: number): Promise<Written> {
    return new Promise((resolve, reject) => {
      last += 1
      const number = last
      const over = watch.begin()
      const settled = (outcome: Written | Error) => {
        over()
        pending.delete(number)
        if (waiting.call !== null && replaced.has(waiting.call)) leave(waiting.call)
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
      const waiting = new PendingAppend({ append, number, ms, settled, silent })
      pending.set(number, waiting)
      if (current !== null) waiting.send(current)
      else if (!isOpening) void open()
    })
  }

  /** Opens the call. Appends that wait for it are sent in order, before later ones. */
  async function open(): Promise<void> {
    isOpening = true
    try {
      const call = await connection.openBatch()
      const over = (cause: Error) => end(call, cause)
      call.on('data', answered)
      call.on('error', over)
      call.on('end', () => over(new Error('EventStoreDB ended the call on which appends go')))
      current = call
      for (const waiting of unsent()) waiting.send(call)
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error))
      for (const waiting of unsent()) waiting.settle(cause)
    } finally {
      isOpening = false
    }
  }

  const unsent = (): PendingAppend[] => [...pending.values()].filter(({ call }) => call === null)

  function end(call: BatchStream, cause: Error): void {
    if (current === call) current = null
    replaced.delete(call)
    for (const waiting of [...pending.values()]) if (waiting.call === call) waiting.settle(cause)
  }

  /**
   * A shared call can hang on a connection that works, so later appends go on another call, even if the connection
   * stays.
   */
  function silent({ call }: PendingAppend, since: number): void {
    watch.silent(connection, since)
    if (call === null || call !== current || answeredMs > since) return
    current = null
    replaced.add(call)
    leave(call)
  }

  /** Ends a replaced call once no append waits on it. */
  function leave(call: BatchStream): void {
    if ([...pending.values()].some((one) => one.call === call)) return
    replaced.delete(call)
    // Do not cancel inside a message handler: the call would then never end.
    setImmediate(() => call.cancel())
  }

  function answered(answer: BatchAppendResp): void {
    watch.heard()
    answeredMs = performance.now()
    // A second answer to the same append, or a late one, is ignored.
    const waiting = pending.get(numberOf(answer))
    waiting?.settle(outcomeOf(answer, waiting))
  }

  return { append }
}

function outcomeOf(answer: BatchAppendResp, { stream, isEarly }: PendingAppend): Written | Error {
  const success = answer.getSuccess()
  if (success !== undefined) {
    const at = success.getPosition()
    const revision = Number(success.getCurrentRevision())
    if (at === undefined) return { revision, position: null }
    const [commit, prepare] = [hexOfDecimal(at.getCommitPosition()), hexOfDecimal(at.getPreparePosition())]
    return { revision, position: positionOf(commit, prepare) }
  }
  const error = answer.getError()
  const kind = error?.getDetails()?.getTypeName().replace(TYPES, '') ?? ''
  if (kind === 'WrongExpectedVersion') return new WrongRevision(`${stream} has another revision`)
  if (kind === 'MaximumAppendSizeExceeded') {
    return new NotSent(`An append to ${stream} is larger than EventStoreDB allows (MaxAppendSize)`, true)
  }
  const message = error?.getMessage() || kind || 'no reason given'
  const clocks = kind === 'Timeout' && isEarly ? `. ${CLOCKS_DIFFER}` : ''
  const text = `EventStoreDB did not append to ${stream}: ${message}${clocks}`
  return kind === 'AccessDenied' ? new AccessDenied(text) : new Error(text)
}

/** The UUID of the n-th append, unique within this call. */
const correlationOf = (n: number): string => `00000000-0000-0000-0000-${n.toString(16).padStart(12, '0')}`

function numberOf(answer: BatchAppendResp): number {
  const id = answer.getCorrelationId()
  const structured = id?.getStructured()
  if (structured !== undefined) return Number(structured.getLeastSignificantBits())
  return Number.parseInt(id?.getString().slice(-12) ?? '', 16)
}
