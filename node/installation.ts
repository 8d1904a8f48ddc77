// An installation on stores that are open: what is secret or personal in them readable to the program, and its keys.
// Every start and every command that works on stores itself comes by here, so that none of them works on half a log.

import { type MasterSecrets, sealingKeys, type WorkingKeys, workingKeys } from '../credentials/master.ts'
import { PERSONAL_FIELDS } from '../domain/personal.ts'
import type { OpenedStores, Stores } from '../stores/contract/stores.ts'
import { openSealed } from '../stores/sealing/open.ts'
import { refuseHalfImport } from './half-import.ts'

export interface Installation {
  readonly stores: Stores
  readonly keys: WorkingKeys
}

/**
 * Throws StoresFault where the master key is not the vault's, or the vault lost, or an
 * import was begun and not finished.
 */
export async function openInstallation(opened: OpenedStores, master: MasterSecrets): Promise<Installation> {
  const { stores, root } = await openSealed(opened, sealingKeys(master), PERSONAL_FIELDS)
  await refuseHalfImport(stores.vault)
  return { stores, keys: workingKeys(root) }
}
