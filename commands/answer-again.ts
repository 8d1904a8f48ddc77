// Answers repeated calls as the first ones: reads from the stream what the recorded commands decided.

import type { Aggregate, DomainEvent } from '../domain/decider.ts'
import { type Position, recordedAt, unsafeCast } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import { CALL_ANSWERED, type Command, type Handled, type Recorded } from './command-batch.ts'
import { fold, unfolded } from './fold.ts'

interface Found<State, Event> {
  readonly before: State
  readonly events: Recorded<Event>[]
  after: State
  position: Position
}

/** Answers commands of one stream, by their ids. O(length of the stream up to the last of them). */
export async function answerAgain<State, Event extends DomainEvent>(
  log: Log,
  aggregate: Aggregate<State, Event>,
  commands: readonly Command<State, Event>[],
): Promise<(command: string) => Handled<State, Event>> {
  const games = new Map(commands.map(({ about, context }) => [context.command, about.game]))
  const found = new Map<string, Found<State, Event>>()
  let folded = unfolded(aggregate)
  for await (const stored of eventsFrom(log, commands[0]?.about.stream ?? '')) {
    const { command } = stored.meta
    const isOwn = games.has(command)
    if (!isOwn && found.size === games.size) break
    const before = folded.state
    folded = fold(aggregate, folded, stored)
    if (!isOwn) continue
    const one = found.get(command) ?? { before, events: [], after: before, position: stored.position }
    one.after = folded.state
    one.position = stored.position
    found.set(command, one)
    if (stored.type === CALL_ANSWERED) continue
    const event = unsafeCast<Event>({ type: stored.type, data: stored.data })
    one.events.push({ ...event, ...recordedAt(stored) })
  }
  const { state: last } = folded
  return (command) => {
    const one = found.get(command)
    // Its game is being removed: the stream is hidden.
    if (one === undefined) return { ...UNKNOWN, before: unfolded(aggregate).state, after: last }
    const { before, after, events, position } = one
    const written = { game: games.get(command) ?? null, position }
    return { before, after, events, written, position, replayed: true, current: { state: after, at: written } }
  }
}

const UNKNOWN = { events: [], written: null, position: null, replayed: true, current: null }
