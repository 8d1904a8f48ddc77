// Reads the present state of a stream for commands over several streams: it may be newer than the views.

import type { Aggregate, DomainEvent } from '../domain/decider.ts'
import type { CommandDeps } from './command-deps.ts'

/** Reads the log once, even if the stream's state is cached. */
export async function loadState<State, Event extends DomainEvent>(
  deps: CommandDeps,
  aggregate: Aggregate<State, Event>,
  stream: string,
): Promise<State> {
  const { after } = await deps.handler.handle(aggregate, { stream, game: null }, READ_ONLY, () => [])
  return after
}

/** The game that a stream's events belong to; null if there is no such stream. */
export async function gameOf(deps: CommandDeps, stream: string): Promise<string | null> {
  const [first] = await deps.log.readStream(stream, 0, 1)
  return first?.meta.game ?? null
}

/** A context for decisions that record nothing. */
const READ_ONLY = {
  command: '',
  call: null,
  repeated: false,
  actor: null,
  request: null,
  nowMs: 0,
  generator: { id: makesNothing, secret: makesNothing },
}

function makesNothing(): never {
  throw new Error('a read generates no ids')
}
