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

export interface Openers {
  readonly log: () => Promise<LogStores>
  readonly documents: () => Promise<DocumentStores>
  readonly memory: () => Promise<MemoryStores>
}

/** Opens one part after the other; where one does not open, those before it are closed again. */
export async function openTogether({ log, documents, memory }: Openers): Promise<OpenedStores> {
  const open: Closing[] = []
  const kept = async <Part extends Closing>(opening: Promise<Part>): Promise<Part> => {
    const part = await opening
    open.unshift(part)
    return part
  }
  /** Closes each, whatever becomes of the others; rejects with the first failure. */
  const close = async () => {
    const closed: PromiseSettledResult<void>[] = []
    for (const part of open) closed.push(...(await Promise.allSettled([part.close()])))
    for (const one of closed) if (one.status === 'rejected') throw one.reason
  }
  try {
    return { ...(await kept(log())), ...(await kept(documents())), ...(await kept(memory())), close }
  } catch (failure) {
    // Why it could not be opened matters more than that it could not be closed.
    await close().catch(() => {})
    throw failure
  }
}
