// The stores of this configuration, opened by a command itself where no server does the work.

import type { Config } from '../config.ts'
import { type MasterSecrets, sealingKeys } from '../credentials/master.ts'
import { PERSONAL_FIELDS } from '../domain/personal.ts'
import { refuseHalfImport } from '../node/half-import.ts'
import { openStores } from '../node/open-stores.ts'
import { FolderInUse } from '../stores/contract/faults.ts'
import type { OpenedStores, Stores } from '../stores/contract/stores.ts'
import { masterKeysOf } from '../stores/embedded/data-folder.ts'
import { openSealed } from '../stores/sealing/open.ts'
import { CommandFault } from './failure.ts'

/** What the servers are warned of, their own start and `doctor` tell. Throws FolderInUse, and StoresFault for servers that cannot be used. */
export function openQuietly(config: Config): Promise<OpenedStores> {
  return openStores(config, { onFailure: () => {}, warn: () => {}, now: Date.now })
}

/** As `openQuietly`; throws CommandFault where a server has the data folder open. */
export function openHere(config: Config): Promise<OpenedStores> {
  return openQuietly(config).catch((failure: unknown) => {
    if (!(failure instanceof FolderInUse)) throw failure
    throw new CommandFault(`${failure.message}. Stop the server first, or name another folder with DATA_DIR.`)
  })
}

/** The master keys of this configuration. Throws CommandFault where there are none. */
export async function masterKeysHere(config: Config): Promise<MasterSecrets> {
  const master = await masterKeysOf(config.dataDir, config)
  if (master !== null) return master
  throw new CommandFault('There is no master key: set MASTER_KEY, or DATA_DIR to where secrets.json is.')
}

/** Works on an installation's stores, as `openHere` opens them, and closes them again. */
export async function withOwnStores<Result>(
  config: Config,
  use: (stores: OpenedStores, master: MasterSecrets) => Promise<Result>,
): Promise<Result> {
  const master = await masterKeysHere(config)
  const stores = await openHere(config)
  try {
    return await use(stores, master)
  } finally {
    await stores.close()
  }
}

export interface OwnStores {
  readonly opened: OpenedStores
  /** The same, as the program uses them. */
  readonly stores: Stores
  readonly root: Uint8Array
}

/** The same on whole stores, unsealed; null where a server has the data folder open. */
export async function unlessServed<Result>(
  config: Config,
  use: (own: OwnStores) => Promise<Result>,
): Promise<Result | null> {
  const master = await masterKeysHere(config)
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

async function openUnlessServed(config: Config): Promise<OpenedStores | null> {
  try {
    return await openQuietly(config)
  } catch (failure) {
    if (failure instanceof FolderInUse) return null
    throw failure
  }
}
