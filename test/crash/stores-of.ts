// The stores of a data folder whose server has ended, opened as the server opens them: with names readable.

import { join } from 'node:path'
import { workingKeys } from '../../credentials/master.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Views } from '../../stores/contract/views.ts'
import { openDataFolder } from '../../stores/embedded/data-folder.ts'
import { openLog } from '../../stores/embedded/log.ts'
import { openVault } from '../../stores/embedded/vault.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { sealLog } from '../../stores/sealing/log.ts'
import { sealVault } from '../../stores/sealing/vault.ts'
import { rebuiltDifferences } from '../simulation/rebuilt.ts'

export async function withStores<T>(dataDir: string, use: (log: Log, views: Views) => Promise<T>): Promise<T> {
  const { masterKey = '' } = await openDataFolder(dataDir, false)
  const { seal } = workingKeys(Buffer.from(masterKey, 'base64url'))
  const log = await openLog(join(dataDir, 'log.sqlite'))
  const inner = await openVault(join(dataDir, 'vault.sqlite'))
  const views = await openViews(join(dataDir, 'views.sqlite'))
  const vault = sealVault(inner, { current: seal, previous: [] })
  try {
    return await use(sealLog(log, vault, PERSONAL_FIELDS), views)
  } finally {
    await views.close()
    await inner.close()
    await log.close()
  }
}

/** One line for each document of the read models that is not as the log gives it. */
export const differencesIn = (dataDir: string): Promise<string[]> =>
  withStores(dataDir, (log, views) => rebuiltDifferences(views, log))
