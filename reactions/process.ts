// A process: a name, the event types that it handles, and its reaction to each. Delivery is at least once, so
// reactions must be idempotent. A process holds no state of its own.

import type { StoredEvent } from '../domain/event.ts'

export interface Process {
  readonly name: string
  readonly takes: readonly string[]
  /**
   * Sends the resulting commands. If it rejects, the failure is reported and the event is delivered again. The signal
   * aborts when the node stops.
   */
  react(event: StoredEvent, signal: AbortSignal): Promise<void>
}
