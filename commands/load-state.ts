// The state of a stream as it stands, for commands over several streams: what it says
// now, whatever the views have seen.

import type { Aggregate, DomainEvent } from '../domain/decider.ts'
import type { CommandDeps } from './command-deps.ts'

/** One read of the log, also where the stream is known here. */
export async function loadState<State, Event extends DomainEvent>(
  deps: CommandDeps,
  aggregate: Aggregate<State, Event>,
  stream: string,
): Promise<State> {
  const { after } = await deps.handler.handle(aggregate, { stream, game: null }, READ_ONLY, () => [])
  return after
}

/** The game that a stream's events belong to; null where there is no such stream. */
export async function gameOf(deps: CommandDeps, stream: string): Promise<string | null> {
  const [first] = await deps.log.readStream(stream, 0, 1)
  return first?.meta.game ?? null
}

/** Nothing is recorded for it. */
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
  throw new Error('looking makes nothing')
}
