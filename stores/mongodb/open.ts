// Opens and closes the stores in MongoDB together, over one connection.

import type { VaultStore } from '../contract/vault.ts'
import type { Views } from '../contract/views.ts'
import type { Server } from './check.ts'
import { connect, type MongoOptions } from './mongo-connection.ts'
import { reportingUnavailable } from './unavailable.ts'
import { openVault } from './vault.ts'
import { openViews } from './views.ts'

export interface MongoStores {
  readonly views: Views
  readonly vault: VaultStore
  readonly server: Server
  /** Closes the shared connection, as closing any one of the stores does. */
  close(): Promise<void>
}

/** Throws a StoresFault, without secrets, if the server is not suitable. */
export async function openMongo(options: MongoOptions): Promise<MongoStores> {
  const { db, server, shown, close } = await connect(options)
  return {
    views: reportingUnavailable({ ...openViews(db, server), close }, shown),
    vault: reportingUnavailable({ ...openVault(db, server), close }, shown),
    server,
    close,
  }
}

/** Checks whether the server can be used and returns its version; throws as `openMongo` does. */
export async function checkMongo(options: MongoOptions): Promise<Server> {
  const { server, close } = await connect(options)
  await close()
  return server
}
