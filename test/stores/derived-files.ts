// Files that are built from the log, with their WAL and checksums, while no process has them open.

import { closeSync, copyFileSync, existsSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { isDamaged } from '../../stores/embedded/damaged.ts'
import { createSums } from '../../stores/embedded/page-sums.ts'
import { PAGE_BYTES } from './damage-pages.ts'

export const DERIVED_ENDS = ['', '-wal', '-sums'] as const

/** Copies the file with its WAL and checksums, as they are on the disk: what a killed process leaves. */
export function copyDerived(from: string, to: string): void {
  for (const end of DERIVED_ENDS) {
    rmSync(`${to}${end}`, { force: true })
    if (existsSync(`${from}${end}`)) copyFileSync(`${from}${end}`, `${to}${end}`)
  }
}

/**
 * Makes the checksums those of the file as it is, so that what was changed in it is found only when it is read. Leaves
 * them if SQLite cannot read the number of the cycle.
 */
export function reseal(path: string): void {
  const db = new DatabaseSync(path)
  const file = openSync(path, 'r')
  try {
    createSums({ path, db, file, pageBytes: PAGE_BYTES })
  } catch (error) {
    if (!isDamaged(error)) throw error
  } finally {
    closeSync(file)
    db.close()
  }
}
