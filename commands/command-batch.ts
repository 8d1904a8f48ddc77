// Decides a batch of commands of one stream in order: each command sees the events of those before it, although they
// are not appended yet.

import { hash } from 'node:crypto'
import { uuidOf } from '../credentials/text.ts'
import { eventTime } from '../domain/clock.ts'
import type { Aggregate, Decision, DomainEvent } from '../domain/decider.ts'
import { type EventMeta, type JsonObject, type NewEvent, type Position, unsafeCast } from '../domain/event.ts'
import { type Calls, keyReused } from './calls.ts'
import type { CommandContext, CommitPosition } from './command-context.ts'
import { fold, type StreamState } from './fold.ts'

/** The stream of a command, and the metadata of its events. */
export interface About {
  readonly stream: string
  readonly game: string | null
  readonly board?: string
  readonly player?: string
  /**
   * True if this call generated the id of the stream. Unless it has an Idempotency-Key, and may be a repeat, the stream
   * is appended to without a read.
   */
  readonly isNew?: boolean
}

export interface Command<State, Event extends DomainEvent> {
  readonly about: About
  readonly context: CommandContext
  readonly decision: Decision<State, Event>
}

/** An event that a command recorded. */
export type Recorded<Event> = Event & { readonly revision: number; readonly time: string }

/** The result of a command. */
export interface Handled<State, Event> {
  readonly before: State
  readonly after: State
  /** The events that it recorded; none if nothing changed. */
  readonly events: readonly Recorded<Event>[]
  /** Its commit position; null if nothing was recorded. */
  readonly written: CommitPosition | null
  /** The position of the last of `events`; null without any, or if a later command of the batch recorded events too. */
  readonly position: Position | null
  /** True if an earlier call with the same Idempotency-Key recorded it. */
  readonly replayed: boolean
  /**
   * The stream's state and position after the whole batch, which may contain later commands than this one. Null if the
   * stream has no events.
   */
  readonly current: CurrentState<State> | null
}

/** Decides a command on a stream and records it; see `Handler.handle`. */
export type Handle = <State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  about: About,
  context: CommandContext,
  decision: Decision<State, Event>,
) => Promise<Handled<State, Event>>

/** A stream's state and the position of its last event. */
export interface CurrentState<State> {
  readonly state: State
  readonly at: CommitPosition
}

export type Outcome<State, Event> =
  | { kind: 'decided'; before: State; after: State; events: readonly Recorded<Event>[] }
  | { kind: 'refused'; error: unknown }
  /** An earlier call with the same Idempotency-Key has recorded the command. */
  | { kind: 'repeated' }

interface DecidedBatch<State, Event> {
  readonly events: readonly NewEvent[]
  readonly outcomes: readonly Outcome<State, Event>[]
  readonly folded: StreamState<State>
}

/** Recorded for a call with an Idempotency-Key that changed nothing, so that its repeat changes nothing either. */
export const CALL_ANSWERED = 'CallAnswered'

export function decideBatch<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  start: StreamState<State>,
  calls: Calls,
  commands: readonly Command<State, Event>[],
): DecidedBatch<State, Event> {
  const events: NewEvent[] = []
  const callsNow = new Map<string, string>()
  let folded = start
  const outcomes = commands.map((command): Outcome<State, Event> => {
    try {
      const { context } = command
      // A command without an Idempotency-Key has no call to repeat.
      const seen = context.call === null ? undefined : (callsNow.get(context.command) ?? calls.get(context.command))
      if (seen !== undefined) return repeated(seen, context)
      const before = folded.state
      const decided = command.decision(before, folded.revision)
      const time = eventTime(context.nowMs, folded.time, context.notBefore ?? '')
      const add = ({ type, data }: DomainEvent): Recorded<Event> => {
        const revision = folded.revision + 1
        const next = toAppend(type, data, revision, command, time)
        events.push(next)
        const { position } = folded
        folded = fold(aggregate, folded, { type, data: next.data, meta: next.meta, revision, position })
        return unsafeCast<Recorded<Event>>({ type, data, revision, time })
      }
      const recorded = decided.map(add)
      if (context.call !== null) {
        if (decided.length === 0) add({ type: CALL_ANSWERED, data: {} })
        callsNow.set(context.command, context.call)
      }
      return { kind: 'decided', before, after: folded.state, events: recorded }
    } catch (error) {
      return { kind: 'refused', error }
    }
  })
  return { events, outcomes, folded }
}

function repeated(seen: string, context: CommandContext): { kind: 'repeated' } {
  if (seen === context.call) return { kind: 'repeated' }
  throw keyReused()
}

function toAppend(
  type: string,
  data: object,
  revision: number,
  { about, context }: { readonly about: About; readonly context: CommandContext },
  time: string,
): NewEvent {
  const { stream, game, board, player } = about
  const { command, call, actor, request } = context
  // Fields are assigned one by one, because a spread is many times slower on this hot path.
  const meta: { -readonly [Name in keyof EventMeta]: EventMeta[Name] } = { v: 1, game, command, actor, request, time }
  if (board !== undefined) meta.board = board
  if (player !== undefined) meta.player = player
  if (call !== null) meta.call = call
  // The id includes time and type. The log acknowledges a known id without comparing the event, so two nodes that
  // handle one call concurrently, one a step ahead, would otherwise take each other's event for their own.
  const id = uuidOf(hash('sha256', `${command}/${stream}/${revision}/${time}/${type}`))
  return { id, type, data: data as JsonObject, meta }
}
