// Shared by the tests of the server: a server with a real client for the duration of a suite, and events.

import { randomUUID } from 'node:crypto'
import {
  type AppendToStreamOptions,
  EventStoreDBClient,
  type JSONEventData,
  jsonEvent,
  type ResolvedEvent,
  type StreamSubscription,
} from '@eventstore/db-client'
import { type EventStoreOptions, type EventStoreServer, startEventStore } from './server.ts'

interface UnderTest {
  readonly server: EventStoreServer
  readonly client: EventStoreDBClient
  /** The URL with further parameters, for another client. */
  connect(parameters?: string): EventStoreDBClient
}

/** A server and a client for the duration of this suite. */
export function served(options: EventStoreOptions = {}): UnderTest {
  const parts: { server?: EventStoreServer; client?: EventStoreDBClient } = {}
  const there = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('used before the suite began')
    return part
  }
  const connect = (parameters = ''): EventStoreDBClient =>
    EventStoreDBClient.connectionString(`${there(parts.server).url}${parameters}`)
  before(async () => {
    parts.server = await startEventStore(options)
    parts.client = connect()
    // The first call of a new client waits for its feature lookup, so later calls could overtake it.
    await parts.client.appendToStream('first-call', anEvent())
  })
  after(async () => {
    await parts.client?.dispose()
    await parts.server?.stop()
  })
  return {
    get server() {
      return there(parts.server)
    },
    get client() {
      return there(parts.client)
    },
    connect,
  }
}

/** Credentials make the client use the unary call; in insecure mode they are not sent. */
const UNARY: AppendToStreamOptions = { credentials: { username: 'u', password: 'p' } }

/** Both kinds of append, with the options that select them. */
export const PATHS: readonly (readonly [name: string, options: AppendToStreamOptions])[] = [
  ['batch', {}],
  ['unary', UNARY],
]

export const newStream = (): string => `stream-${randomUUID()}`

export const anEvent = (id: string = randomUUID(), n = 0): JSONEventData =>
  jsonEvent({ id, type: 'Thing', data: { n } })

export const events = (count: number): JSONEventData[] => Array.from({ length: count }, (_, n) => anEvent(undefined, n))

/** The error of a rejected promise. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a rejection')
}

/** All events of a read. */
export async function all(read: AsyncIterable<ResolvedEvent>): Promise<ResolvedEvent[]> {
  const found: ResolvedEvent[] = []
  for await (const event of read) found.push(event)
  return found
}

export async function revisions(read: AsyncIterable<ResolvedEvent>): Promise<number[]> {
  return (await all(read)).map(({ event }) => Number(event?.revision))
}

/** Records what a subscription emits, in order: names, and revisions of events, with stream names if requested. */
export class Watched {
  readonly seen: string[] = []
  readonly events: ResolvedEvent[] = []
  error: unknown = null
  #waiting: (() => void)[] = []
  readonly subscription: Pick<StreamSubscription, 'on' | 'unsubscribe' | 'pause' | 'resume'>

  constructor(subscription: Pick<StreamSubscription, 'on' | 'unsubscribe' | 'pause' | 'resume'>) {
    this.subscription = subscription
    for (const name of ['confirmation', 'caughtUp', 'end', 'close'] as const) {
      subscription.on(name as 'end', () => this.#note(name))
    }
    subscription.on('error', (error) => {
      this.error = error
      this.#note('error')
    })
    subscription.on('data', (event) => {
      this.events.push(event)
      this.#note(String(event.event?.revision))
    })
  }

  /** Waits until a condition holds; it is checked after each emitted item. */
  async until(holds: (watched: this) => boolean): Promise<void> {
    while (!holds(this)) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #note(what: string): void {
    this.seen.push(what)
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }
}
