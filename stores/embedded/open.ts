// Opens the embedded stores of a data folder, one group of them or all together.

import { join } from 'node:path'
import { StoresFault } from '../contract/faults.ts'
import { type AllRankings, RankingsLost } from '../contract/rankings.ts'
import type { DocumentStores, LogStores, MemoryStores, OpenedStores } from '../contract/stores.ts'
import { openTogether } from '../support/open-together.ts'
import { damageError, isDamaged } from './damaged.ts'
import { DerivedDamaged, moveDamaged, removeMoved } from './derived-database.ts'
import { createLeases } from './leases.ts'
import { type LogOptions, openLog } from './log.ts'
import { rankingsOfViews } from './rankings-of-views.ts'
import { createRevocations } from './revocations.ts'
import { createRooms } from './rooms.ts'
import { createRates, createTransient } from './transient.ts'
import { openVault } from './vault.ts'
import { type EmbeddedViews, openViews } from './views.ts'
import type { ViewsOptions } from './views-file.ts'

export interface EmbeddedHooks {
  /**
   * Called if the disk fails: the outcome of unacknowledged writes is unknown then. Called with DerivedDamaged if the
   * views or the log's index are damaged, also before the open of damaged views rejects. The process should stop, or
   * close the stores and open them again.
   */
  readonly onFailure: (error: Error) => void
  /** Called after each commit of the log with the number of events that it made durable. */
  readonly onCommit?: (events: number) => void
  readonly onStartWork?: NonNullable<LogOptions['onStartWork']>
  readonly onRepaired?: NonNullable<LogOptions['onRepaired']>
  /** As for `ViewsOptions`. */
  readonly documentCharacters?: number
  readonly mappableBytes?: number
}

/** Throws StoresFault. */
export async function openEmbeddedLog(folder: string, hooks: EmbeddedHooks): Promise<LogStores> {
  const log = await opened(folder, 'log.sqlite', (path) => openLog(path, hooks))
  const { newestTime, revisions, erasure: logErasure } = log
  return { log, history: log, newestTime, revisions, streamErasure: null, logErasure, close: () => log.close() }
}

/**
 * Throws StoresFault; DerivedDamaged for damaged views. These were moved away if the disk allows it, so that the next
 * open creates empty ones.
 */
export async function openEmbeddedDocuments(folder: string, hooks: EmbeddedHooks): Promise<DocumentStores> {
  const vault = await opened(folder, 'vault.sqlite', (path) => openVault(path, { onFailure: hooks.onFailure }))
  try {
    const { documentCharacters, mappableBytes, onFailure } = hooks
    const views = await opened(folder, 'views.sqlite', (path) =>
      openViewsOrMove(path, { documentCharacters, mappableBytes, onFailure }),
    )
    const close = async () => {
      await views.close()
      await vault.close()
    }
    const purge = async () => {
      await Promise.all([views.purge(), vault.purge(), removeMoved(join(folder, 'views.sqlite'))])
    }
    return { views, vault, rankings: rankingsOfViews(views), documentErasure: { purge }, close }
  } catch (failure) {
    await vault.close()
    throw failure
  }
}

const NO_RANKINGS: AllRankings = {
  putMax: Number.POSITIVE_INFINITY,
  of() {
    throw new RankingsLost()
  },
  drop: async () => {},
}

/** In-process stores, lost on exit. `rankings`: those that the documents bring. */
export function openEmbeddedMemory(rankings: AllRankings = NO_RANKINGS): MemoryStores {
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

/** Opens all stores of a folder. Throws StoresFault, or DerivedDamaged as `openEmbeddedDocuments`. */
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
    if (failure instanceof StoresFault || failure instanceof DerivedDamaged) throw failure
    const text = failure instanceof Error ? failure.message : String(failure)
    throw isDamaged(failure) ? damageError(path, text, failure) : new StoresFault(`${path}: ${text}`)
  })
}

/**
 * Opens the views. Damage that prevents opening the file is treated as damage that is found later: the file is moved
 * away.
 */
async function openViewsOrMove(path: string, options: ViewsOptions): Promise<EmbeddedViews> {
  try {
    return await openViews(path, options)
  } catch (failure) {
    if (!isDamaged(failure)) throw failure
    const damaged = moveDamaged(path, String((failure as Error).message), failure)
    options.onFailure?.(damaged)
    throw damaged
  }
}
