// One open subscription. It takes events in at once and queues them in order until they are consumed, because the
// server drops slow readers. It makes the server wait only if the queue grows far too long.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import { ArrivedEvents } from './arrived-events.ts'
import type { Message } from './decode.ts'
import type { Answers } from './event-store-connection.ts'
import { NoAnswer } from './silence.ts'

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
  const feed = new OpenFeed(opening, options)
  return {
    next: (limit) => feed.next(limit),
    seen: () => feed.seen(),
    isHungry: () => feed.isHungry(),
    fail: (error) => feed.fail(error),
    close: () => feed.close(),
  }
}

class OpenFeed {
  readonly #options: FeedOptions
  readonly #queue: ArrivedEvents
  readonly #confirming: NodeJS.Timeout
  readonly #seen: { -readonly [Key in keyof Seen]: Seen[Key] }
  #call: Answers<Message> | null = null
  #failure: Error | null = null
  #isClosed = false
  #wake: (() => void) | null = null

  constructor(opening: Promise<Answers<Message>>, options: FeedOptions) {
    this.#options = options
    this.#seen = { count: 0, event: options.after, upTo: null }
    this.#queue = new ArrivedEvents(options.keptEvents, {
      pause: () => this.#call?.pause(),
      resume: () => this.#call?.resume(),
    })
    this.#confirming = setTimeout(() => {
      this.fail(new NoAnswer('subscription', options.deadlineMs))
      options.silent()
    }, options.deadlineMs)
    opening.then(
      (call) => this.#opened(call),
      (error) => this.fail(error),
    )
  }

  seen(): Seen {
    return { ...this.#seen }
  }

  isHungry(): boolean {
    return this.#wake !== null && this.#queue.length === 0
  }

  fail(error: Error): void {
    this.#failure ??= error
    this.#rouse()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#confirming)
    // Not while it is handing out a message: the call would then never end.
    setImmediate(() => this.#call?.cancel())
    this.#rouse()
  }

  async next(limit: number): Promise<readonly StoredEvent[] | null> {
    while (this.#queue.length === 0 && !this.#isClosed) {
      if (this.#failure !== null) throw this.#failure
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    await this.#gather(limit)
    return this.#isClosed ? null : this.#queue.take(limit)
  }

  #opened(call: Answers<Message>): void {
    this.#call = call
    call.on('error', (error: Error) => this.fail(error))
    call.on('end', () => this.fail(new Error('EventStoreDB ended the subscription')))
    if (this.#isClosed) call.cancel()
    else call.on('data', (message) => this.#arrived(message))
  }

  #arrived(message: Message): void {
    const seen = this.#seen
    this.#options.heard()
    seen.count += 1
    if (message.kind === 'confirmed') clearTimeout(this.#confirming)
    if (message.kind === 'checkpoint') seen.upTo = message.position
    if (message.kind !== 'event') return
    const { event } = message
    if (event === null || (seen.event !== null && event.position <= seen.event)) return
    seen.event = event.position
    this.#queue.push({ event, bytes: message.bytes })
    this.#rouse()
  }

  /** What comes without a break is handed out together: each turn of the event loop brings what the network has. */
  async #gather(limit: number): Promise<void> {
    let before = -1
    for (let turns = 0; turns < MOST_TURNS && this.#seen.count > before && this.#queue.length < limit; turns += 1) {
      before = this.#seen.count
      await yieldToEventLoop()
    }
  }

  #rouse(): void {
    this.#wake?.()
    this.#wake = null
  }
}
