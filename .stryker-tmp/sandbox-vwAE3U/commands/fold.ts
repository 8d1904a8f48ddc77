// Folding a stream: an aggregate's state and where the stream stands.

import type { Aggregate, DomainEvent } from '../domain/decider.ts'
import { momentOf, type Position, type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'
import { eventsFrom } from '../stores/support/events-from.ts'

/** A stream as it stands: what its events fold to, and where they end. */
export interface StreamState<State> {
  readonly state: State
  /** Revision of the last event, -1 where there is none. */
  readonly revision: number
  /** Time of the last event, or '' where there is none. */
  readonly time: string
  /** Position of the last event that the log has; null where it has none. */
  readonly position: Position | null
}

export function unfolded<State>(aggregate: Aggregate<State, never>): StreamState<State> {
  return { state: aggregate.initial, revision: -1, time: '', position: null }
}

/**
 * One event further, which the log has at `event.position` or is still to be given. The event's type decides its shape:
 * what was appended under it is what comes back.
 */
export function fold<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  folded: StreamState<State>,
  event: Pick<StoredEvent, 'type' | 'data' | 'meta' | 'revision'> & { readonly position: Position | null },
): StreamState<State> {
  const moment = momentOf(event)
  const state = aggregate.evolve(folded.state, unsafeCast<Event>(event), moment)
  return { state, revision: moment.revision, time: moment.time, position: event.position }
}

/** What a stream says now, on whatever node it was written. O(its length). */
export async function foldStream<State, Event extends DomainEvent>(
  log: Log,
  aggregate: Aggregate<State, Event>,
  stream: string,
): Promise<State> {
  let folded = unfolded(aggregate)
  for await (const event of eventsFrom(log, stream)) folded = fold(aggregate, folded, event)
  return folded.state
}
