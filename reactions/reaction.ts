// A reaction: a name, the event types that it handles, and what it does after each. Delivery is at least once, so it
// must be idempotent. It holds no state of its own. server/node/reactions.ts creates all of them with what they need.

import type { WaitForProjection } from '../commands/command-context.ts'
import type { CommandDeps } from '../commands/command-deps.ts'
import type { StoredEvent } from '../domain/event.ts'
import type { QueryDeps } from '../queries/deps.ts'
import type { FileStore } from '../stores/contract/files.ts'

export interface Reaction {
  readonly name: string
  readonly takes: readonly string[]
  /**
   * Sends the resulting commands. If it rejects, the failure is reported and the event is delivered again. The signal
   * aborts when the node stops.
   */
  react(event: StoredEvent, signal: AbortSignal): Promise<void>
}

export interface ReactionDeps {
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  /** Unix milliseconds. */
  now(): number
  /** True if a game is deleted. Another reaction removes all its data, and its commands are refused. */
  isDeleted?(game: string | null): boolean
  /** See `waitForViews` in wait.ts. */
  readonly waitForProjection: WaitForProjection
}

/** For reactions that compare the file store with the views. */
export interface StoreReactionDeps extends Pick<ReactionDeps, 'queries' | 'now'> {
  readonly files: FileStore
  /** Waits until the views contain what the log held at the call; false if they do not. */
  untilViewsCurrent(): Promise<boolean>
}
