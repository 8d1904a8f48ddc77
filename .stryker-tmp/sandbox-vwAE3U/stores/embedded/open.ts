// Opens the embedded stores of a data folder, one group of them or all together.

import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Purge } from '../contract/erasure.ts'
import { StoresFault } from '../contract/faults.ts'
import type { DocumentStores, LogStores, MemoryStores, OpenedStores } from '../contract/stores.ts'
import type { Views } from '../contract/views.ts'
import { openTogether } from '../support/open-together.ts'
import { createLeases } from './leases.ts'
import { openLog } from './log.ts'
import { createRankings } from './rankings.ts'
import { createRevocations } from './revocations.ts'
import { createRooms } from './rooms.ts'
import { createRates, createTransient } from './transient.ts'
import { openVault } from './vault.ts'
import { openViews } from './views.ts'
import type { ViewsOptions } from './views-options.ts'

export interface EmbeddedHooks {
  /** Told when the disk fails: what is not acknowledged is then unknown, and the process should stop. */
  readonly onFailure: (error: Error) => void
  /** Told after each commit of the log how many events it made durable. */
  readonly onCommit?: (events: number) => void
  /** Kibibytes of pages of the views that are kept in memory, where it is not the usual amount. */
  readonly viewPagesKib?: number
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
    const { viewPagesKib: pagesKib, onFailure } = hooks
    const memory = pagesKib === undefined ? {} : { pagesKib }
    const views = await opened(folder, 'views.sqlite', (path) => openViewsAnew(path, { memory, onFailure }))
    const close = async () => {
      await views.close()
      await vault.close()
    }
    const purge = async () => {
      await Promise.all([views.purge(), vault.purge(), removeDamaged(folder)])
    }
    return { views, vault, documentErasure: { purge }, close }
  } catch (failure) {
    await vault.close()
    throw failure
  }
}

/** In this process: gone with it. */
export function openEmbeddedMemory(): MemoryStores {
  return {
    rankings: createRankings(),
    transient: createTransient(),
    rates: createRates(),
    leases: createLeases(),
    revocations: createRevocations(),
    rooms: createRooms(),
    close: async () => {},
  }
}

/** All of them, of one folder. Throws StoresFault. */
export function openEmbedded(folder: string, hooks: EmbeddedHooks): Promise<OpenedStores> {
  return openTogether({
    log: () => openEmbeddedLog(folder, hooks),
    documents: () => openEmbeddedDocuments(folder, hooks),
    memory: async () => openEmbeddedMemory(),
  })
}

async function opened<Store>(folder: string, name: string, open: (path: string) => Promise<Store>): Promise<Store> {
  const path = join(folder, name)
  return open(path).catch((failure: unknown) => {
    if (failure instanceof StoresFault) throw failure
    throw new StoresFault(`${path}: ${failure instanceof Error ? failure.message : String(failure)}`)
  })
}

/** In the names of views that were put aside. */
const DAMAGED = '.damaged-'

/** They hold what views held, also of players who are deleted since, and nothing that the log has not. */
async function removeDamaged(folder: string): Promise<void> {
  const names = await readdir(folder)
  const damaged = names.filter((name) => name.startsWith(`views.sqlite${DAMAGED}`))
  await Promise.all(damaged.map((name) => rm(join(folder, name), { force: true })))
}

/** Views that cannot be read are put aside, and built again from the log. */
async function openViewsAnew(path: string, options: ViewsOptions): Promise<Views & Purge> {
  try {
    return await openViews(path, options)
  } catch (failure) {
    if (!isDamage(failure)) throw failure
    const aside = `${path}${DAMAGED}${new Date().toISOString().replaceAll(/[-:.]/g, '')}`
    await rename(path, aside)
    await Promise.all(['-wal', '-shm'].map((end) => rm(`${path}${end}`, { force: true })))
    return openViews(path, options)
  }
}

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

function isDamage(failure: unknown): boolean {
  if (!(failure instanceof Error) || !('errcode' in failure)) return false
  return failure.errcode === SQLITE_CORRUPT || failure.errcode === SQLITE_NOTADB
}
