// The stores that MongoDB keeps, over one connection, opened together and closed together.

import type { VaultStore } from '../contract/vault.ts'
import type { Views } from '../contract/views.ts'
import { sayingAway } from './away.ts'
import type { Server } from './check.ts'
import { connect, type MongoOptions } from './connection.ts'
import { openVault } from './vault.ts'
import { openViews } from './views.ts'

export type { MongoOptions } from './connection.ts'

export interface MongoStores {
  readonly views: Views
  readonly vault: VaultStore
  readonly server: Server
  /** Closes the connection of all of them; closing any one of them does the same. */
  close(): Promise<void>
}

/** Throws a StoresFault, without secrets, where the server cannot be used as it is. */
export async function openMongo(options: MongoOptions): Promise<MongoStores> {
  const { db, server, shown, close } = await connect(options)
  return {
    views: sayingAway({ ...openViews(db, server), close }, shown),
    vault: sayingAway({ ...openVault(db, server), close }, shown),
    server,
    close,
  }
}

/** Looks whether the server can be used, and what it is; throws as `openMongo` does. */
export async function checkMongo(options: MongoOptions): Promise<Server> {
  const { server, close } = await connect(options)
  await close()
  return server
}
