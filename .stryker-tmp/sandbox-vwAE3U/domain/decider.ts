// The shape of every aggregate: a state folded from its stream by `evolve`, and decisions, which are pure functions
// from (state, command) to the events that follow, or a Refusal. Time, ids and randomness come in with the command.

import type { JsonObject, Moment } from './event.ts'

/** A domain event: a past-tense type and its data. */
export interface DomainEvent {
  readonly type: string
  readonly data: object
}

/**
 * One aggregate. `evolve` never throws for a history that was accepted, and ignores event types it does not know.
 * `moment` tells it where the event stands: its revision and time.
 */
export interface Aggregate<State, Event extends DomainEvent> {
  readonly name: string
  readonly initial: State
  evolve(state: State, event: Event, moment: Moment): State
  /** For long streams: the state as JSON and back. Its commands are remembered by no Idempotency-Key. */
  readonly snapshot?: SnapshotForm<State>
}

interface SnapshotForm<State> {
  /** Raised whenever what is written changes. */
  readonly form: number
  /** How much there is to write: entries, roughly. */
  size(state: State): number
  write(state: State): JsonObject
  read(stored: JsonObject): State
}

/**
 * A decision: the events that follow from the state, none when nothing changes. Throws Refusal. Pure.
 * `last` is the revision of the stream's last event, -1 where there is none.
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

/** The command was understood and is not carried out. Nothing was recorded. `code` is stable and listed in the docs. */
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
