// Folding a stream: an aggregate's state, where the stream stands, and which remembered calls it has already answered.

import type { Aggregate, DomainEvent } from '../domain/decider.ts'
import { type EventMeta, type StoredEvent, shaped } from '../domain/event.ts'

/** How long a call with an Idempotency-Key is remembered. */
export const CALLS_REMEMBERED_MS = 48 * 60 * 60 * 1000

export interface Folded<State> {
  readonly state: State
  /** Revision of the last event, -1 where there is none. */
  readonly revision: number
  /** Time of the last event, or '' where there is none. */
  readonly time: string
  /** Command id -> hash of the call, for commands sent with an Idempotency-Key. */
  readonly calls: ReadonlyMap<string, string>
}

export function unfolded<State>(aggregate: Aggregate<State, never>): Folded<State> {
  return { state: aggregate.initial, revision: -1, time: '', calls: NO_CALLS }
}

const NO_CALLS: ReadonlyMap<string, string> = new Map()

/** One event further. The event's type decides its shape: what was appended under it is what comes back. */
export function fold<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  folded: Folded<State>,
  event: Pick<StoredEvent, 'type' | 'data' | 'meta' | 'revision'>,
): Folded<State> {
  const moment = { revision: event.revision, time: event.meta.time }
  return {
    state: aggregate.evolve(folded.state, shaped<Event>(event), moment),
    revision: event.revision,
    time: event.meta.time,
    calls: remember(folded.calls, event.meta),
  }
}

function remember(calls: ReadonlyMap<string, string>, meta: EventMeta): ReadonlyMap<string, string> {
  if (meta.call === undefined || calls.has(meta.command)) return calls
  return new Map(calls).set(meta.command, meta.call)
}
