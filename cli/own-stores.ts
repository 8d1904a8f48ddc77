// The stores of this configuration, opened by a command itself where no server does the work.

import type { Config } from '../config.ts'
import { type MasterSecrets, sealingKeys } from '../credentials/master.ts'
import { PERSONAL_FIELDS } from '../domain/personal.ts'
import { refuseHalfImport } from '../node/half-import.ts'
import { openStores } from '../node/open-stores.ts'
import type { OpenedStores, Stores } from '../stores/contract/stores.ts'
import { masterKeysOf } from '../stores/embedded/data-folder.ts'
import { openSealed } from '../stores/sealing/open.ts'
import { CommandFault } from './failure.ts'

/** Null where another process has the data folder open. */
export async function openUnlessServed(config: Config): Promise<OpenedStores | null> {
  try {
    return await openStores(config, { onFailure: () => {}, warn: () => {}, now: Date.now })
  } catch (failure) {
    if (failure instanceof Error && failure.message.includes('is in use')) return null
    throw failure
  }
}

/** Throws CommandFault where a server has the data folder open, and StoresFault for servers that cannot be used. */
export async function openHere(config: Config): Promise<OpenedStores> {
  try {
    return await openStores(config, { onFailure: () => {}, warn: () => {}, now: Date.now })
  } catch (failure) {
    const { message } = failure as Error
    if (!message.includes('is in use')) throw failure
    throw new CommandFault(`${message}. Stop the server first, or name another folder with DATA_DIR.`)
  }
}

/** Throws CommandFault where there is none. */
export async function ownMasterKeys(config: Config): Promise<MasterSecrets> {
  const master = await masterKeysOf(config.dataDir, config)
  if (master !== null) return master
  throw new CommandFault('There is no master key: set MASTER_KEY, or DATA_DIR to where secrets.json is.')
}

export interface OwnStores {
  readonly opened: OpenedStores
  /** The same, as the program uses them. */
  readonly stores: Stores
  readonly root: Uint8Array
}

/** Whole ones, opened and closed again; null where another process has them. */
export async function withOwnStores<T>(config: Config, use: (own: OwnStores) => Promise<T>): Promise<T | null> {
  const master = await ownMasterKeys(config)
  const opened = await openUnlessServed(config)
  if (opened === null) return null
  try {
    const { stores, root } = await openSealed(opened, sealingKeys(master), PERSONAL_FIELDS)
    await refuseHalfImport(stores.vault)
    return await use({ opened, stores, root })
  } finally {
    await opened.close()
  }
}
