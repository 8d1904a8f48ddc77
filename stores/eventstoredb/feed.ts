// One open subscription. What arrives is taken in at once and kept, in order, until it is asked for: a reader that lets
// the server wait is dropped. Only where far too much is kept is the server made to wait.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { turn } from '../contract/turn.ts'
import type { Answers } from './connection.ts'
import type { Message } from './decode.ts'
import { NoAnswer } from './silence.ts'

const MAX_BYTES = 16 * 1024 * 1024
const MOST_TURNS = 32

export interface Feed {
  /** The next events, at most `limit`, as soon as there are any; null once the signal aborts. Throws what broke it. */
  next(limit: number): Promise<readonly StoredEvent[] | null>
  seen(): Seen
  /** Whether somebody waits in `next` for what is not there. */
  isHungry(): boolean
  fail(why: Error): void
  close(): void
}

/** What has arrived: how many messages, the last event of ours, and how far the server says to have looked. */
export interface Seen {
  readonly count: number
  readonly event: Position | null
  readonly upTo: Position | null
}

export interface FeedOptions {
  /** The last event handed out before; none up to there is let through again. */
  readonly after: Position | null
  /** The server must have confirmed the subscription by then. */
  readonly deadlineMs: number
  /** With so many events not asked for, the server is made to wait. */
  readonly keptEvents: number
  /** Called at each message. */
  heard(): void
  /** Called where it was not confirmed in time. */
  silent(): void
}

export function createFeed(opening: Promise<Answers<Message>>, options: FeedOptions): Feed {
  let call: Answers<Message> | null = null
  let queue: { readonly event: StoredEvent; readonly bytes: number }[] = []
  let bytes = 0
  let count = 0
  let upTo: Position | null = null
  let last = options.after
  let failure: Error | null = null
  let isClosed = false
  let isPaused = false
  let wake: (() => void) | null = null

  const rouse = () => {
    wake?.()
    wake = null
  }
  const fail = (why: Error) => {
    failure ??= why
    rouse()
  }
  const confirming = setTimeout(() => {
    fail(new NoAnswer('subscription', options.deadlineMs))
    options.silent()
  }, options.deadlineMs)
  opening.then((opened) => {
    call = opened
    opened.on('error', fail)
    opened.on('end', () => fail(new Error('EventStoreDB ended the subscription')))
    if (isClosed) opened.cancel()
    else opened.on('data', arrived)
  }, fail)

  function arrived(message: Message): void {
    options.heard()
    count += 1
    if (message.kind === 'confirmed') clearTimeout(confirming)
    if (message.kind === 'checkpoint') upTo = message.position
    if (message.kind !== 'event') return
    const { event } = message
    if (event === null || (last !== null && event.position <= last)) return
    last = event.position
    queue.push({ event, bytes: message.bytes })
    bytes += message.bytes
    if (queue.length >= options.keptEvents || bytes >= MAX_BYTES) pause()
    rouse()
  }

  function pause(): void {
    isPaused = true
    call?.pause()
  }

  async function next(limit: number): Promise<readonly StoredEvent[] | null> {
    while (queue.length === 0 && !isClosed) {
      if (failure !== null) throw failure
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    await gather(limit)
    return isClosed ? null : take(limit)
  }

  /** What comes without a break is handed out together: each turn of the event loop brings what the network has. */
  async function gather(limit: number): Promise<void> {
    let before = -1
    for (let turns = 0; turns < MOST_TURNS && count > before && queue.length < limit; turns += 1) {
      before = count
      await turn()
    }
  }

  function take(limit: number): StoredEvent[] {
    const taken = queue.length <= limit ? queue : queue.slice(0, limit)
    queue = queue.length <= limit ? [] : queue.slice(limit)
    for (const one of taken) bytes -= one.bytes
    if (isPaused && queue.length < options.keptEvents / 2 && bytes < MAX_BYTES / 2) {
      isPaused = false
      call?.resume()
    }
    return taken.map(({ event }) => event)
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    clearTimeout(confirming)
    // Not while it is handing out a message: the call would then never end.
    setImmediate(() => call?.cancel())
    rouse()
  }

  return {
    next,
    seen: () => ({ count, event: last, upTo }),
    isHungry: () => wake !== null && queue.length === 0,
    fail,
    close,
  }
}
