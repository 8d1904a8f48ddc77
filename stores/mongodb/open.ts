// Opens and closes the stores in MongoDB together, over one connection.

import type { VaultStore } from '../contract/vault.ts'
import type { Views } from '../contract/views.ts'
import type { Server } from './check.ts'
import { connect, type MongoOptions } from './mongo-connection.ts'
import { guardRow, guardSingleProcess } from './single-process.ts'
import { reportingUnavailable } from './unavailable.ts'
import { openVault } from './vault.ts'
import { openViews } from './views.ts'

export interface MongoStores {
  readonly views: Views
  readonly vault: VaultStore
  readonly server: Server
  /** False while another process may have taken over from this one; always true without the guard. */
  isAlone(): boolean
  /** Closes the shared connection, as closing any one of the stores does. */
  close(): Promise<void>
}

/**
 * Throws a StoresFault, without secrets, if the server is not suitable. With `lost` only one process may open the
 * stores: a second one is refused, and `lost` is called if another process takes over from this one.
 */
export async function openMongo(
  options: MongoOptions,
  lost: ((reason: string) => void) | null = null,
): Promise<MongoStores> {
  const { db, server, shown, close: disconnect } = await connect(options)
  const close = async () => {
    await alone?.leave()
    await disconnect()
  }
  const holding = lost === null ? null : guardSingleProcess(guardRow(db, server), shown, lost)
  const alone = await holding?.catch(async (error: unknown) => {
    await disconnect()
    throw error
  })
  return {
    views: reportingUnavailable({ ...openViews(db, server), close }, shown),
    vault: reportingUnavailable({ ...openVault(db, server), close }, shown),
    server,
    isAlone: () => alone?.isSure() ?? true,
    close,
  }
}

/** Checks whether the server can be used and returns its version; throws as `openMongo` does. */
export async function checkMongo(options: MongoOptions): Promise<Server> {
  const { server, close } = await connect(options)
  await close()
  return server
}
