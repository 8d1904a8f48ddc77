// All stores of one installation, in the three parts that a server can take over, opened together and closed together.

import type { LogErasure, Purge, StreamErasure } from './erasure.ts'
import type { History } from './history.ts'
import type { Leases } from './leases.ts'
import type { Log } from './log.ts'
import type { AllRankings } from './rankings.ts'
import type { Revocations } from './revocations.ts'
import type { Rooms } from './rooms.ts'
import type { Rates, Transient } from './transient.ts'
import type { Vault, VaultStore } from './vault.ts'
import type { Views } from './views.ts'

interface Closing {
  close(): Promise<void>
}

/** Embedded, or EventStoreDB. */
export interface LogStores extends Closing {
  readonly log: Log
  /** Null where the log has no index by game and board: then a view takes its place. */
  readonly history: History | null
  /** Rejects with the reason while the log denies appends. Absent where it denies none. */
  readonly mayAppend?: () => Promise<void>
  /** Null where events cannot be changed. */
  readonly logErasure: LogErasure | null
  /** Null where `logErasure` is not: one of the two is there. */
  readonly streamErasure: StreamErasure | null
}

/** Embedded, or MongoDB. */
export interface DocumentStores extends Closing {
  readonly views: Views
  readonly vault: VaultStore
  /** Of both. Null where their files are a server's. */
  readonly documentErasure: Purge | null
}

/** In this process, or Redis. */
export interface MemoryStores extends Closing {
  readonly rankings: AllRankings
  readonly transient: Transient
  readonly rates: Rates
  readonly leases: Leases
  readonly revocations: Revocations
  readonly rooms: Rooms
}

/** As the program uses them. */
export interface Stores extends LogStores, MemoryStores {
  readonly views: Views
  readonly documentErasure: Purge | null
  readonly vault: Vault
}

/** As they were opened: with what is sealed in them sealed. */
export interface OpenedStores extends Stores, DocumentStores {
  readonly vault: VaultStore
}
