// All embedded stores of one data folder, opened together and closed together.

import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Stores, StoresFault } from '../contract/stores.ts'
import type { Views } from '../contract/views.ts'
import { openLog } from './log.ts'
import { createRankings } from './rankings.ts'
import { createRates, createTransient } from './transient.ts'
import { openVault } from './vault.ts'
import { openViews } from './views.ts'

/**
 * `onFailure` is told when the disk fails: what is not acknowledged is then unknown, and the process should stop.
 * `onCommit` is told after each commit of the log how many events it made durable.
 */
export async function openEmbedded(
  folder: string,
  onFailure: (error: Error) => void,
  onCommit: (events: number) => void = () => {},
): Promise<Stores> {
  const closing: (() => Promise<void>)[] = []
  const kept = async <Store extends { close(): Promise<void> }>(
    name: string,
    open: (path: string) => Promise<Store>,
  ) => {
    const path = join(folder, name)
    const store = await open(path).catch((failure: unknown) => {
      throw new StoresFault(`${path}: ${failure instanceof Error ? failure.message : String(failure)}`)
    })
    closing.unshift(() => store.close())
    return store
  }
  const close = async () => {
    for (const one of closing) await one()
  }
  try {
    const log = await kept('log.sqlite', (path) => openLog(path, { onFailure, onCommit }))
    const vault = await kept('vault.sqlite', (path) => openVault(path, { onFailure }))
    const views = await kept('views.sqlite', openViewsAnew)
    return {
      log,
      history: log,
      vault,
      views,
      rankings: createRankings(),
      transient: createTransient(),
      rates: createRates(),
      close,
    }
  } catch (failure) {
    await close()
    throw failure
  }
}

/** Views that cannot be read are put aside, and built again from the log. */
async function openViewsAnew(path: string): Promise<Views> {
  try {
    return await openViews(path)
  } catch (failure) {
    if (!isDamage(failure)) throw failure
    const aside = `${path}.damaged-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`
    await rename(path, aside)
    await Promise.all(['-wal', '-shm'].map((end) => rm(`${path}${end}`, { force: true })))
    return openViews(path)
  }
}

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

function isDamage(failure: unknown): boolean {
  if (!(failure instanceof Error) || !('errcode' in failure)) return false
  return failure.errcode === SQLITE_CORRUPT || failure.errcode === SQLITE_NOTADB
}
