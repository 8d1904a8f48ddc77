// Answers a repeated call as the first one: reads from the stream what the recorded command decided.

import type { Aggregate, DomainEvent } from '../domain/decider.ts'
import { recordedAt, unsafeCast } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import { CALL_ANSWERED, type Command, type Handled, type Recorded } from './command-batch.ts'
import { fold, unfolded } from './fold.ts'

/** O(length of the stream up to the command). */
export async function answerAgain<State, Event extends DomainEvent>(
  log: Log,
  aggregate: Aggregate<State, Event>,
  { about, context }: Command<State, Event>,
): Promise<Handled<State, Event>> {
  let folded = unfolded(aggregate)
  let before = folded.state
  const events: Recorded<Event>[] = []
  let position: string | null = null
  for await (const stored of eventsFrom(log, about.stream)) {
    const isOwn = stored.meta.command === context.command
    if (position !== null && !isOwn) break
    if (isOwn && position === null) before = folded.state
    folded = fold(aggregate, folded, stored)
    if (!isOwn) continue
    position = stored.position
    if (stored.type === CALL_ANSWERED) continue
    const event = unsafeCast<Event>({ type: stored.type, data: stored.data })
    events.push({ ...event, ...recordedAt(stored) })
  }
  const written = position === null ? null : { game: about.game, position }
  const current = written === null ? null : { state: folded.state, at: written }
  return { before, after: folded.state, events, written, position, replayed: true, current }
}
