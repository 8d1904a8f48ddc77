// All embedded stores of one data folder, opened together and closed together.

import { join } from 'node:path'
import type { Log } from '../contract/log.ts'
import type { Rankings } from '../contract/rankings.ts'
import type { Rates, Transient } from '../contract/transient.ts'
import type { Vault } from '../contract/vault.ts'
import type { Views } from '../contract/views.ts'
import { openLog } from './log.ts'
import { createRankings } from './rankings.ts'
import { createRates, createTransient } from './transient.ts'
import { openVault } from './vault.ts'
import { openViews } from './views.ts'

export interface Stores {
  readonly log: Log
  readonly vault: Vault
  readonly views: Views
  readonly rankings: Rankings
  readonly transient: Transient
  readonly rates: Rates
  close(): Promise<void>
}

/**
 * `onFailure` is told when the disk fails: what is not acknowledged is then unknown, and the process should stop.
 * `onCommit` is told after each commit of the log how many events it made durable.
 */
export async function openEmbedded(
  folder: string,
  onFailure: (error: Error) => void,
  onCommit: (events: number) => void = () => {},
): Promise<Stores> {
  const log = await openLog(join(folder, 'log.sqlite'), { onFailure, onCommit })
  const vault = await openVault(join(folder, 'vault.sqlite'), { onFailure })
  const views = await openViews(join(folder, 'views.sqlite'))
  return {
    log,
    vault,
    views,
    rankings: createRankings(),
    transient: createTransient(),
    rates: createRates(),
    close: async () => {
      await log.close()
      await views.close()
      await vault.close()
    },
  }
}
