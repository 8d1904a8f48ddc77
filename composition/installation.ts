// An installation on stores that are open: what is secret or personal in them readable to the program, and its keys.
// Every start and every command that works on stores itself comes by here, so that none of them works on half a log.

import { type MasterSecrets, sealingKeys, type WorkingKeys, workingKeys } from '../credentials/master.ts'
import { PERSONAL_FIELDS } from '../domain/personal.ts'
import { refuseHalfImport } from '../log-import/half-import.ts'
import type { OpenedStores, Stores } from '../stores/contract/stores.ts'
import { DeletedGames } from '../stores/hiding/deleted-games.ts'
import { hideInHistory, hideInLog } from '../stores/hiding/hide.ts'
import { openSealed } from '../stores/sealing/open.ts'

export interface Installation {
  /** Without what is left of deleted games. */
  readonly stores: Stores
  /** With it: for who removes it. */
  readonly whole: Pick<Stores, 'log' | 'history'>
  readonly deletedGames: DeletedGames
  readonly keys: WorkingKeys
}

/**
 * Throws StoresFault where the master key is not the vault's, or the vault lost, or an
 * import was begun and not finished.
 */
export async function openInstallation(opened: OpenedStores, master: MasterSecrets): Promise<Installation> {
  const { stores: whole, root } = await openSealed(opened, sealingKeys(master), PERSONAL_FIELDS)
  await refuseHalfImport(whole.vault)
  const deletedGames = new DeletedGames()
  await deletedGames.read(whole.log)
  const log = hideInLog(whole.log, deletedGames)
  const history = whole.history === null ? null : hideInHistory(whole.history, deletedGames)
  return { stores: { ...whole, log, history }, whole, deletedGames, keys: workingKeys(root) }
}
