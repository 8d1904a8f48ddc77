// All stores of one installation, in the three groups that a server can provide; opened and closed together.

import type { LogErasure, Purge, StreamErasure } from './erasure.ts'
import type { History, LogRevisions } from './history.ts'
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
  /** Null if the log has no index by game and board; a view replaces it then. */
  readonly history: History | null
  /** Rejects with the reason while the log denies appends. Absent if the log never denies them. */
  readonly mayAppend?: () => Promise<void>
  /**
   * The latest time of all events, ISO 8601; null if there is none. A log on a server may answer with the time of its
   * last event. A time after `plausibleUntil` is confirmed by reading its event; an earlier one may come from the
   * index.
   */
  newestTime(plausibleUntil: string): Promise<string | null>
  /** Absent if a server assigns the revisions. */
  readonly revisions?: LogRevisions
  /** Null if events cannot be changed. */
  readonly logErasure: LogErasure | null
  /** Exactly one of `logErasure` and `streamErasure` is null. */
  readonly streamErasure: StreamErasure | null
}

/** Embedded, or MongoDB. */
export interface DocumentStores extends Closing {
  readonly views: Views
  readonly vault: VaultStore
  /** Rankings that the documents have in memory; absent if they must be kept in `MemoryStores`. */
  readonly rankings?: AllRankings
  /** Purges the files of both. Null if a server owns them. */
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

/** The stores as the program uses them. */
export interface Stores extends LogStores, MemoryStores {
  readonly views: Views
  readonly documentErasure: Purge | null
  readonly vault: Vault
}

/** The stores as opened, before the layer that decrypts is added: secrets and personal text are still encrypted. */
export interface OpenedStores extends Stores, DocumentStores {
  readonly rankings: AllRankings
  readonly vault: VaultStore
}
