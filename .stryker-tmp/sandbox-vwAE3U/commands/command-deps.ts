// What commands work with, made by main.ts and composition/compose.ts.

import type { WorkingKeys } from '../credentials/master.ts'
import type { SlotKind } from '../domain/slots.ts'
import type { FileStore } from '../stores/contract/files.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Vault } from '../stores/contract/vault.ts'
import type { Handler } from './handle.ts'
import type { RevocationDeps } from './publish-revocations.ts'

export interface CommandDeps extends RevocationDeps {
  readonly handler: Handler
  readonly log: Log
  readonly vault: Vault
  readonly keys: WorkingKeys
  /** How many of a kind a game has, as the views have it: for games that an older version made. Absent: none. */
  readonly countExisting?: (kind: SlotKind, game: string) => Promise<number>
}

/** For commands about files. */
export interface FileCommandDeps extends CommandDeps {
  readonly files: FileStore
  /**
   * Gives back what this process counted ahead of a bucket's downloads, where it does that; whether there was anything.
   */
  readonly giveBackAhead?: (bucket: string) => Promise<boolean>
}
