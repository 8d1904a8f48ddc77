// Opens an installation on open stores: decrypts secrets and personal data, and derives the working keys. Every start
// and every CLI command on stores uses it, so none of them works on a partially imported log.

import { createHash } from 'node:crypto'
import { type MasterSecrets, sealingKeys, type WorkingKeys, workingKeys } from '../credentials/master.ts'
import { PERSONAL_FIELDS } from '../domain/personal.ts'
import { refuseUnfinishedImport } from '../portability/import/import-marker.ts'
import type { OpenedStores, Stores } from '../stores/contract/stores.ts'
import { DeletedGames, hideInHistory, hideInLog } from '../stores/log-decorators/hiding/deleted-games.ts'
import { withRestore } from '../stores/log-decorators/restored/positions.ts'
import { openSealed } from '../stores/log-decorators/sealing/open.ts'

export interface Installation {
  /** Stores that hide the remains of deleted games. */
  readonly stores: Stores
  /** Log and history with the remains of deleted games, for the reaction that removes them. */
  readonly unfiltered: Pick<Stores, 'log' | 'history'>
  readonly deletedGames: DeletedGames
  readonly keys: WorkingKeys
  readonly filesClaim: FilesClaim
}

export interface FilesClaim {
  /** Names the installation in the owner marker of a file store: 24 hexadecimal digits. */
  readonly owner: string
  readonly isRestored: boolean
  readonly isImported: boolean
}

/** An import with the vault has the keys of the exported installation, and must not own its file store. */
export function filesClaimOf({ installation }: WorkingKeys, { restoreId, importId }: Origin): FilesClaim {
  const imported = createHash('sha256')
    .update(`${installation} after import ${importId}`)
    .digest('hex')
    .slice(0, installation.length)
  return {
    owner: importId === null ? installation : imported,
    isRestored: restoreId !== null,
    isImported: importId !== null,
  }
}

interface Origin {
  readonly restoreId: string | null
  readonly importId: string | null
}

/**
 * Throws StoresFault if the master key does not match the vault, if the vault is lost, or if an import did not finish.
 */
export async function openInstallation(opened: OpenedStores, master: MasterSecrets): Promise<Installation> {
  const { stores, root, restoreId, importId } = await openSealed(opened, sealingKeys(master), PERSONAL_FIELDS)
  await refuseUnfinishedImport(stores.vault)
  const unfiltered = restoreId === null ? stores : withRestore(stores, restoreId)
  const deletedGames = new DeletedGames()
  await deletedGames.read(unfiltered.log)
  const log = hideInLog(unfiltered.log, deletedGames)
  const history = unfiltered.history === null ? null : hideInHistory(unfiltered.history, deletedGames)
  const keys = workingKeys(root, restoreId)
  const filesClaim = filesClaimOf(keys, { restoreId, importId })
  return { stores: { ...unfiltered, log, history }, unfiltered, deletedGames, keys, filesClaim }
}
