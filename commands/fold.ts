// Folds a stream into an aggregate's state.

import type { Aggregate, DomainEvent } from '../domain/decider.ts'
import { type Position, recordedAt, type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'
import { eventsFrom } from '../stores/support/events-from.ts'

/** The state that a stream's events fold to, with revision, time and position of the last event. */
export interface StreamState<State> {
  readonly state: State
  /** Revision of the last event; -1 without one. */
  readonly revision: number
  /** Time of the last event; '' without one. */
  readonly time: string
  /** Position of the last recorded event; null without one. */
  readonly position: Position | null
}

export function unfolded<State>(aggregate: Aggregate<State, never>): StreamState<State> {
  return { state: aggregate.initial, revision: -1, time: '', position: null }
}

/** The state after one more event, which is recorded at `event.position`, or not yet recorded (null). */
export function fold<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  folded: StreamState<State>,
  event: Pick<StoredEvent, 'type' | 'data' | 'meta' | 'revision'> & { readonly position: Position | null },
): StreamState<State> {
  const at = recordedAt(event)
  const state = aggregate.evolve(folded.state, unsafeCast<Event>(event), at)
  return { state, revision: at.revision, time: at.time, position: event.position }
}

/**
 * The present state of a stream, with writes of all nodes. O(length of the stream). `from`: an earlier state; only the
 * events after it are read.
 */
export async function foldStream<State, Event extends DomainEvent>(
  log: Log,
  aggregate: Aggregate<State, Event>,
  stream: string,
  from: StreamState<State> = unfolded(aggregate),
): Promise<State> {
  let folded = from
  for await (const event of eventsFrom(log, stream, from.revision + 1)) folded = fold(aggregate, folded, event)
  return folded.state
}

/** The state before the event of this revision. O(revision). */
export async function foldBefore<State, Event extends DomainEvent>(
  log: Log,
  aggregate: Aggregate<State, Event>,
  stream: string,
  revision: number,
): Promise<State> {
  let folded = unfolded(aggregate)
  for await (const event of eventsFrom(log, stream)) {
    if (event.revision >= revision) break
    folded = fold(aggregate, folded, event)
  }
  return folded.state
}
