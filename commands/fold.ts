// Folding a stream: an aggregate's state and where the stream stands.

import type { Aggregate, DomainEvent } from '../domain/decider.ts'
import { type StoredEvent, shaped } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'

const PAGE = 1_000

export interface Folded<State> {
  readonly state: State
  /** Revision of the last event, -1 where there is none. */
  readonly revision: number
  /** Time of the last event, or '' where there is none. */
  readonly time: string
}

export function unfolded<State>(aggregate: Aggregate<State, never>): Folded<State> {
  return { state: aggregate.initial, revision: -1, time: '' }
}

/** One event further. The event's type decides its shape: what was appended under it is what comes back. */
export function fold<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  folded: Folded<State>,
  event: Pick<StoredEvent, 'type' | 'data' | 'meta' | 'revision'>,
): Folded<State> {
  const { revision } = event
  const { time } = event.meta
  return { state: aggregate.evolve(folded.state, shaped<Event>(event), { revision, time }), revision, time }
}

/** What a stream says now, on whatever node it was written. O(its length). */
export async function foldStream<State, Event extends DomainEvent>(
  log: Log,
  aggregate: Aggregate<State, Event>,
  stream: string,
): Promise<State> {
  let folded = unfolded(aggregate)
  for await (const event of eventsFrom(log, stream, 0)) folded = fold(aggregate, folded, event)
  return folded.state
}

/** A stream's events from a revision on, in order. */
export async function* eventsFrom(log: Log, stream: string, revision: number): AsyncIterable<StoredEvent> {
  for (let next = revision; ; ) {
    const page = await log.readStream(stream, next, PAGE)
    yield* page
    if (page.length < PAGE) return
    next += page.length
  }
}
