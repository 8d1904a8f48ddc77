// Distinct, complete events for the contract checks of logs.

import { randomUUID } from 'node:crypto'
import type { EventMeta, JsonObject, NewEvent, Position, StoredEvent } from '../../domain/event.ts'
import type { AppendResult, Expected, Log } from '../../stores/contract/log.ts'

interface EventChange {
  readonly type?: string
  readonly data?: JsonObject
  readonly meta?: Partial<EventMeta>
}

/** An event with an id of its own, of game g1 and no board by default. */
export function someEvent({ type = 'SomethingHappened', data = { text: 'x' }, meta = {} }: EventChange = {}): NewEvent {
  const time = '2026-11-21T07:05:01.123Z'
  return {
    id: randomUUID(),
    type,
    data,
    meta: { v: 1, game: 'g1', command: randomUUID(), actor: 'sb_test', request: null, time, ...meta },
  }
}

export function someEvents(count: number, change: EventChange = {}): NewEvent[] {
  return Array.from({ length: count }, () => someEvent(change))
}

/** Appends what must not meet a conflict. */
export async function appended(
  log: Log,
  stream: string,
  expected: Expected,
  events: readonly NewEvent[],
): Promise<Extract<AppendResult, { kind: 'appended' }>> {
  const result = await log.append(stream, expected, events)
  if (result.kind !== 'appended') throw new Error(`Appending to ${stream} at ${expected} met a conflict`)
  return result
}

/** Every event of the log, in its order. */
export async function everything(log: Log): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  let after: Position | null = null
  for (;;) {
    const page: StoredEvent[] = await log.readAll(after, 1_000)
    const last = page.at(-1)
    if (last === undefined) return events
    events.push(...page)
    after = last.position
  }
}

export function idsOf(events: readonly NewEvent[]): string[] {
  return events.map(({ id }) => id)
}
