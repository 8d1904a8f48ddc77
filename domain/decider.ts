// The shape of every aggregate: `evolve` folds its stream into a state, and decisions are pure functions from a state
// to new events or a Refusal. Time, ids and randomness come in with the command.

import type { JsonObject, RecordedAt } from './event.ts'

/** A domain event: a past-tense type and its data. */
export interface DomainEvent {
  readonly type: string
  readonly data: object
}

/**
 * One aggregate. `evolve` never throws for a recorded history, and ignores event types it does not know. `at` is the
 * event's revision and time.
 */
export interface Aggregate<State, Event extends DomainEvent> {
  readonly name: string
  readonly initial: State
  evolve(state: State, event: Event, at: RecordedAt): State
  /** Approximate number of entries of a state that grows with its stream. With `snapshot`, those that it writes. */
  readonly size?: (state: State) => number
  /** For long streams: the state as JSON. Its commands carry no Idempotency-Key, because snapshots keep no calls. */
  readonly snapshot?: SnapshotForm<State>
}

interface SnapshotForm<State> {
  /** Format version; increase it whenever the written JSON changes. */
  readonly form: number
  write(state: State): JsonObject
  read(stored: JsonObject): State
}

/**
 * A decision: the events to append, none if nothing changes. Pure. Throws Refusal. `last` is the revision of the
 * stream's last event, -1 if it has none.
 */
export type Decision<State, Event extends DomainEvent> = (state: State, last: number) => readonly Event[]

/** The kinds of refusal, each answered with its own HTTP status (in brackets). */
export type RefusalKind =
  | 'malformed' // 400
  | 'unauthenticated' // 401
  | 'forbidden' // 403
  | 'not_found' // 404
  | 'conflict' // 409
  | 'precondition' // 412
  | 'unprocessable' // 422
  | 'too_many' // 429
  | 'unavailable' // 503

/** A command that was understood and refused; nothing was recorded. `code` is stable and documented. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly code: string
  /** Further fields of the problem document, such as `needed` or `limit`. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(kind: RefusalKind, code: string, detail: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(detail)
    this.name = 'Refusal'
    this.kind = kind
    this.code = code
    this.fields = fields
  }
}
