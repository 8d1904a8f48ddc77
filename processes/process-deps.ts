// What processes work with, put together in cluster/processes.ts. Each takes of it what it needs.

import type { CommandDeps } from '../commands/command-deps.ts'
import type { Seen } from '../commands/intent.ts'
import type { QueryDeps } from '../queries/deps.ts'
import type { FileStore } from '../stores/contract/files.ts'

export interface ProcessDeps {
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  /** Unix milliseconds. */
  now(): number
  /** Whether a game is deleted: all that it had is removed as a whole, and commands of it are refused. */
  isDeleted?(game: string | null): boolean
  /** See `viewsHave` in wait.ts. */
  readonly seen: Seen
}

/** For those that compare the file store with the views. */
export interface StoreProcessDeps extends Pick<ProcessDeps, 'queries' | 'now'> {
  readonly files: FileStore
  /** Whether the views have come to what the log held when it was asked. */
  allSeen(): Promise<boolean>
}
