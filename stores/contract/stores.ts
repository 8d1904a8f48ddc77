// All stores of one installation, opened together and closed together.

import type { History } from './history.ts'
import type { Log } from './log.ts'
import type { Rankings } from './rankings.ts'
import type { Rates, Transient } from './transient.ts'
import type { Vault } from './vault.ts'
import type { Views } from './views.ts'

export interface Stores {
  readonly log: Log
  /** Null where the log has no index by game and board: then a view takes its place. */
  readonly history: History | null
  readonly vault: Vault
  readonly views: Views
  readonly rankings: Rankings
  readonly transient: Transient
  readonly rates: Rates
  close(): Promise<void>
}

/** Stores that cannot be used as they are; the message says which and what to do. */
export class StoresFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoresFault'
  }
}
