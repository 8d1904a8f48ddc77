// Checks whether this installation owns its file store.

import type { Config } from '../server/config.ts'
import type { FilesClaim } from '../server/installation.ts'
import { openFilesOwner } from '../server/open-stores.ts'
import { StoreUnavailable } from '../stores/contract/faults.ts'
import { ADOPT, ownerIn, ownerText } from '../stores/owned/ownership.ts'
import type { Finding } from './doctor-finding.ts'

/** Name of the finding. */
export const FILE_STORE = 'file store'

/** Only reads. Null if nothing is to be said: there is no store, or this installation marks it at its next start. */
export async function checkFileStore(
  config: Config,
  { owner: installation, isRestored }: FilesClaim,
): Promise<Finding | null> {
  const marker = await openFilesOwner(config)
  if (marker === null) return null
  try {
    const owner = ownerIn(await marker.read(), installation)
    if (owner.kind === 'this')
      return { name: FILE_STORE, state: 'ok', detail: `belongs to this installation, ${installation}` }
    if (owner.kind === 'none' && !isRestored) return null
    const effects = 'uploads are 503 files_off, and nothing in it is deleted'
    const detail = `${ownerText(owner)}, and this installation is ${installation}: ${effects}`
    return { name: FILE_STORE, state: 'warn', detail, fix: ADOPT }
  } catch (failure) {
    if (!(failure instanceof StoreUnavailable)) throw failure
    return {
      name: FILE_STORE,
      state: 'fail',
      detail: failure.message,
      fix: 'Check FILES_DIR, or S3_URL and the store.',
    }
  } finally {
    marker.close()
  }
}
