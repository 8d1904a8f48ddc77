// Opens the embedded stores of a data folder, one group of them or all together.

import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StoresFault } from '../contract/faults.ts'
import type { AllRankings } from '../contract/rankings.ts'
import type { DocumentStores, LogStores, MemoryStores, OpenedStores } from '../contract/stores.ts'
import { openTogether } from '../support/open-together.ts'
import { isDamaged } from './damaged.ts'
import { createLeases } from './leases.ts'
import { type LogOptions, openLog } from './log.ts'
import { createRankings } from './rankings.ts'
import { rankingsOfViews } from './rankings-of-views.ts'
import { createRevocations } from './revocations.ts'
import { createRooms } from './rooms.ts'
import { createRates, createTransient } from './transient.ts'
import { openVault } from './vault.ts'
import { type EmbeddedViews, openViews } from './views.ts'
import type { ViewsOptions } from './views-options.ts'

export interface EmbeddedHooks {
  /** Called if the disk fails. The outcome of unacknowledged writes is unknown then; the process should stop. */
  readonly onFailure: (error: Error) => void
  /** Called after each commit of the log with the number of events that it made durable. */
  readonly onCommit?: (events: number) => void
  readonly onStartWork?: NonNullable<LogOptions['onStartWork']>
  /** As for `ViewsOptions`. */
  readonly documentCharacters?: number
  /** Whether another store has the rankings. */
  readonly ranksInFile?: boolean
}

/** Throws StoresFault. */
export async function openEmbeddedLog(folder: string, hooks: EmbeddedHooks): Promise<LogStores> {
  const log = await opened(folder, 'log.sqlite', (path) => openLog(path, hooks))
  return { log, history: log, streamErasure: null, logErasure: log.erasure, close: () => log.close() }
}

/** Throws StoresFault. */
export async function openEmbeddedDocuments(folder: string, hooks: EmbeddedHooks): Promise<DocumentStores> {
  const vault = await opened(folder, 'vault.sqlite', (path) => openVault(path, { onFailure: hooks.onFailure }))
  try {
    const { documentCharacters, ranksInFile = false, onFailure } = hooks
    const views = await opened(folder, 'views.sqlite', (path) =>
      openViewsAnew(path, { documentCharacters, ranksInFile, onFailure }),
    )
    const close = async () => {
      await views.close()
      await vault.close()
    }
    const purge = async () => {
      await Promise.all([views.purge(), vault.purge(), removeDamaged(folder)])
    }
    const rankings = ranksInFile ? {} : { rankings: rankingsOfViews(views) }
    return { views, vault, ...rankings, documentErasure: { purge }, close }
  } catch (failure) {
    await vault.close()
    throw failure
  }
}

/** In-process stores, lost on exit. `rankings`: those that the documents bring. */
export function openEmbeddedMemory(rankings: AllRankings = createRankings()): MemoryStores {
  return {
    rankings,
    transient: createTransient(),
    rates: createRates(),
    leases: createLeases(),
    revocations: createRevocations(),
    rooms: createRooms(),
    close: async () => {},
  }
}

/** Opens all stores of a folder. Throws StoresFault. */
export function openEmbedded(folder: string, hooks: EmbeddedHooks): Promise<OpenedStores> {
  return openTogether({
    log: () => openEmbeddedLog(folder, hooks),
    documents: () => openEmbeddedDocuments(folder, hooks),
    memory: async ({ rankings }) => openEmbeddedMemory(rankings),
  })
}

async function opened<Store>(folder: string, name: string, open: (path: string) => Promise<Store>): Promise<Store> {
  const path = join(folder, name)
  return open(path).catch((failure: unknown) => {
    if (failure instanceof StoresFault) throw failure
    throw new StoresFault(`${path}: ${failure instanceof Error ? failure.message : String(failure)}`)
  })
}

/** Part of the file name of damaged views. */
const DAMAGED = '.damaged-'

/** Damaged view files may contain data of deleted players, and nothing that is not in the log. */
async function removeDamaged(folder: string): Promise<void> {
  const names = await readdir(folder)
  const damaged = names.filter((name) => name.startsWith(`views.sqlite${DAMAGED}`))
  await Promise.all(damaged.map((name) => rm(join(folder, name), { force: true })))
}

/** Renames views that cannot be read; they are rebuilt from the log. */
async function openViewsAnew(path: string, options: ViewsOptions): Promise<EmbeddedViews> {
  try {
    return await openViews(path, options)
  } catch (failure) {
    if (!isDamaged(failure)) throw failure
    const moved = `${path}${DAMAGED}${new Date().toISOString().replaceAll(/[-:.]/g, '')}`
    await rename(path, moved)
    await Promise.all(['-wal', '-shm'].map((end) => rm(`${path}${end}`, { force: true })))
    return openViews(path, options)
  }
}
