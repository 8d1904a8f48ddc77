// What a process is: a name, the events it reacts to, and what it does about each. An event may be delivered more than once
// and must then do nothing more; it keeps no truth of its own.

import type { StoredEvent } from '../domain/event.ts'

export interface Process {
  readonly name: string
  readonly takes: readonly string[]
  /** Sends the command that follows. A rejection is reported and the event is delivered again. The signal aborts when the node stops. */
  react(event: StoredEvent, signal: AbortSignal): Promise<void>
}
