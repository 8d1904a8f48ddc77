// Dependencies of the processes; server/node/reactions.ts creates them.

import type { WaitForProjection } from '../commands/command-context.ts'
import type { CommandDeps } from '../commands/command-deps.ts'
import type { QueryDeps } from '../queries/deps.ts'
import type { FileStore } from '../stores/contract/files.ts'

export interface ProcessDeps {
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  /** Unix milliseconds. */
  now(): number
  /** True if a game is deleted. Another process removes all its data, and its commands are refused. */
  isDeleted?(game: string | null): boolean
  /** See `waitForViews` in wait.ts. */
  readonly waitForProjection: WaitForProjection
}

/** For processes that compare the file store with the views. */
export interface StoreProcessDeps extends Pick<ProcessDeps, 'queries' | 'now'> {
  readonly files: FileStore
  /** Waits until the views contain what the log held at the call; false if they do not. */
  untilViewsCurrent(): Promise<boolean>
}
