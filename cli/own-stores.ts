// The stores of this configuration, opened by a command itself where no server does the work.

import type { Config } from '../config.ts'
import type { MasterSecrets } from '../credentials/master.ts'
import { openStores } from '../node/open-stores.ts'
import { FolderInUse } from '../stores/contract/faults.ts'
import type { OpenedStores } from '../stores/contract/stores.ts'
import { masterKeysOf } from '../stores/embedded/data-folder.ts'
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
