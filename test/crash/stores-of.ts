// Opens the stores of a world whose server has ended, as the server opens them, with readable names.

import { sealingKeys } from '../../credentials/master.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { openStores } from '../../server/open-stores.ts'
import type { Stores } from '../../stores/contract/stores.ts'
import { openDataFolder } from '../../stores/embedded/data-folder.ts'
import { openSealed } from '../../stores/log-decorators/sealing/open.ts'
import type { StoreUrls } from '../servers/store-urls.ts'
import { rebuiltDifferences } from '../simulation/oracle/rebuilt.ts'

export interface StoresOf {
  readonly dataDir: string
  readonly storeUrls: StoreUrls
}

export async function withStores<T>({ dataDir, storeUrls }: StoresOf, use: (stores: Stores) => Promise<T>): Promise<T> {
  const keys = sealingKeys(await openDataFolder(dataDir))
  const failed = (error: Error) => {
    throw error
  }
  const hooks = { onFailure: failed, warn: () => {}, now: Date.now }
  const opened = await openStores({ ...storeUrls, dataDir, production: false }, hooks)
  try {
    return await use((await openSealed(opened, keys, PERSONAL_FIELDS)).stores)
  } finally {
    await opened.close()
  }
}

/** One line for each document of the read models that differs from the log. */
export const differencesIn = (world: StoresOf): Promise<string[]> =>
  withStores(world, ({ log, views }) => rebuiltDifferences(views, log))
