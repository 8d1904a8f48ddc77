// What commands work with, made by main.ts and node/compose.ts.

import type { WorkingKeys } from '../credentials/master.ts'
import type { FileStore } from '../stores/contract/files.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Vault } from '../stores/contract/vault.ts'
import type { AnnounceDeps } from './announce.ts'
import type { Handler } from './handle.ts'

export interface CommandDeps extends AnnounceDeps {
  readonly handler: Handler
  readonly log: Log
  readonly vault: Vault
  readonly keys: WorkingKeys
}

/** For commands about files. */
export interface FileCommandDeps extends CommandDeps {
  readonly files: FileStore
  /**
   * Gives back what this process counted ahead of a bucket's downloads, where it does that; whether there was anything.
   */
  readonly giveBackAhead?: (bucket: string) => Promise<boolean>
}
