// The dependencies of commands, created by server/start.ts and server/compose.ts.

import type { WorkingKeys } from '../credentials/master.ts'
import type { SlotKind } from '../domain/slots.ts'
import type { FileStore } from '../stores/contract/files.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Vault } from '../stores/contract/vault.ts'
import type { Handler, Handlers } from './handle.ts'
import type { RevocationDeps } from './publish-revocations.ts'
import type { SubmissionTexts } from './submission-texts.ts'

export interface CommandDeps extends RevocationDeps {
  readonly handler: Handler
  readonly log: Log
  readonly vault: Vault
  readonly keys: WorkingKeys
  /** Absent: each text is read from the log. */
  readonly submissionTexts?: SubmissionTexts
  /** The number of items of a kind in a game, by the views: for games created by an older version. Absent: 0. */
  readonly countExisting?: (kind: SlotKind, game: string) => Promise<number>
  /** Unix milliseconds by the clock of a store that all nodes share. Absent: this node has none. */
  readonly sharedNow?: () => Promise<number>
}

/** The dependencies of commands about files. */
export interface FileCommandDeps extends CommandDeps {
  readonly files: FileStore
  /** Releases the download bytes of a bucket that this process has pre-reserved; whether there were any. */
  readonly releasePrereserved?: (bucket: string) => Promise<boolean>
}

/** The dependencies of the commands of a node. */
export interface NodeCommandDeps extends FileCommandDeps {
  readonly handler: Handlers
}
