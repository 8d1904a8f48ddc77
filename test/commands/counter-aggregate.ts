// A small aggregate for tests of the write path, commands on it, and a log that counts and can be made to fail.

import type { CommandContext } from '../../commands/command-context.ts'
import { createHandler, type Handler } from '../../commands/handle.ts'
import { keyedIds, randomIds } from '../../credentials/command-ids.ts'
import { type Aggregate, type Decision, Refusal } from '../../domain/decider.ts'
import type { NewEvent } from '../../domain/event.ts'
import type { AppendResult, Expected, Log } from '../../stores/contract/log.ts'

type CounterEvent =
  | { readonly type: 'Counted'; readonly data: { readonly by: number; readonly note?: string } }
  | { readonly type: 'Begun'; readonly data: Readonly<Record<string, never>> }
/** Everything counted so far, in order. */
type Counts = readonly number[]

export const counter: Aggregate<Counts, CounterEvent> = {
  name: 'tally',
  initial: [],
  evolve: (state, event) => (event.type === 'Counted' ? [...state, event.data.by] : state),
}

export const STREAM = 'tally-1'
export const BEGINNING_MS = Date.parse('2026-03-01T12:00:00.000Z')

export function count(by: number, note?: string): Decision<Counts, CounterEvent> {
  const data = note === undefined ? { by } : { by, note }
  return () => [{ type: 'Counted', data }]
}

/** Records an event that does not change the state. */
export const begin: Decision<Counts, CounterEvent> = () => [{ type: 'Begun', data: {} }]

/** Counts only if nothing is counted yet; else 409 `taken`. */
export const beFirst = (by: number): Decision<Counts, CounterEvent> => {
  return (state) => {
    if (state.length > 0) throw new Refusal('conflict', 'taken', 'Somebody was first.')
    return [{ type: 'Counted', data: { by } }]
  }
}

export const refuse: Decision<Counts, CounterEvent> = () => {
  throw new Refusal('unprocessable', 'never', 'Never.')
}

export const doNothing: Decision<Counts, CounterEvent> = () => []

export function fresh(nowMs = BEGINNING_MS): CommandContext {
  return { ...randomIds(), call: null, repeated: false, actor: 'sk_test', request: 'r1', nowMs }
}

/** The context of a call with this Idempotency-Key. */
export function keyed(key: string, call = `call ${key}`, nowMs = BEGINNING_MS): CommandContext {
  const commandIds = keyedIds(new Uint8Array(32), 'sk_test', null, key)
  return { ...commandIds, call, repeated: false, actor: 'sk_test', request: 'r1', nowMs }
}

export function send(handler: Handler, decision: Decision<Counts, CounterEvent>, context: CommandContext = fresh()) {
  return handler.handle(counter, { stream: STREAM, game: 'g1' }, context, decision)
}

interface Sent {
  readonly expected: Expected
  readonly ids: readonly string[]
}

/** A handler on a log whose appends go through `append`; each one is noted. */
export function handlerOn(
  log: Log,
  append: (stream: string, expected: Expected, events: readonly NewEvent[]) => Promise<AppendResult> = log.append,
): { readonly handler: Handler; readonly sent: Sent[] } {
  const sent: Sent[] = []
  const handler = createHandler({
    ...log,
    append: (stream, expected, events) => {
      sent.push({ expected, ids: events.map(({ id }) => id) })
      return append(stream, expected, events)
    },
  })
  return { handler, sent }
}

/** The refusal code of a call. Throws if it was not refused. */
