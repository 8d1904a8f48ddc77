// Opens and closes a SQLite file that can be built again from the log, with checksums of its pages. A file without
// them, of an older version or from an interrupted first start, is created again. A damaged file is removed, or moved
// away if it is of the views, and the next start builds it.

import { existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { StoreUnavailable } from '../contract/faults.ts'
import { NotAsWritten } from './damaged.ts'
import { closeExclusive, leaveOpen, openExclusive } from './exclusive-database.ts'
import { CYCLE_SCHEMA } from './page-sums.ts'
import { sumsPathOf } from './page-sums-file.ts'
import type { WriteAhead } from './write-ahead.ts'

/** Of the names of all that belongs to a file. */
const ENDS = ['-sums', '-sums.new', '', '-wal', '-shm', '-journal']

/**
 * `isOlder`: whether the file has an older format; it must leave no prepared statement, which would keep the closed
 * connection alive, and that later removes the WAL of the new file. Throws FolderInUse if the file is open, and
 * NotAsWritten if a folder has its name, or that of a file that belongs to it.
 */
export function openDerived(
  path: string,
  schema: string,
  isOlder: (db: DatabaseSyncInstance) => boolean = () => false,
): DatabaseSyncInstance {
  for (const end of ENDS) requireRegular(`${path}${end}`)
  const open = () => openExclusive(path, schema + CYCLE_SCHEMA)
  const isNew = !existsSync(path)
  const db = open()
  if (existsSync(sumsPathOf(path)) ? !isNew && !isOlder(db) : isNew) return db
  db.close()
  removeDerived(path)
  return open()
}

function requireRegular(path: string): void {
  if (isIrregular(path)) throw new NotAsWritten(`${basename(path)} is no regular file`)
}

/** Whether a path names something else than a file, also by a link, or a link to nothing. */
export function isIrregular(path: string): boolean {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined
  return isThere && statSync(path, { throwIfNoEntry: false })?.isFile() !== true
}

/**
 * Checkpoints the file with its checksums and closes it. Call it without an open transaction, unless a sync failed
 * before.
 */
export function closeDerived(db: DatabaseSyncInstance, wal: WriteAhead): void {
  try {
    wal.finish()
  } catch {
    // The next start recovers the file from its WAL.
    leaveOpen(db)
    return
  }
  closeExclusive(db)
}

/** Removes the file with all that belongs to it, also while it is open: the next start builds it. */
export function removeDerived(path: string): void {
  for (const end of ENDS) rmSync(`${path}${end}`, { force: true, recursive: true })
}

/** Part of the file name of damaged views. */
const DAMAGED = '.damaged-'

/**
 * A file that is built from the log cannot be read or written any more. The message names the file and what the
 * operator should do.
 */
export class DerivedDamaged extends StoreUnavailable {
  /** Name of the file, without its folder. */
  readonly file: string
  /** Whether a new one can be opened in its place. */
  readonly isMoved: boolean

  constructor(path: string, message: string, cause: unknown, isMoved = true) {
    super(`${path} ${message}`, cause)
    this.name = 'DerivedDamaged'
    this.file = basename(path)
    this.isMoved = isMoved
  }
}

/** `what` is damaged, without texts of callers. Removes files that were moved before. The file may be open. */
export function moveDamaged(path: string, what: string, cause: unknown): DerivedDamaged {
  const moved = `${path}${DAMAGED}${new Date().toISOString().replaceAll(/[-:.]/g, '')}`
  try {
    for (const name of readdirSync(dirname(path)).filter(isMoved(path)))
      rmSync(join(dirname(path), name), { recursive: true })
    if (existsSync(path)) renameSync(path, moved)
    removeDerived(path)
  } catch (error) {
    const remedy = 'Remove it: a start builds the views again from the log'
    return new DerivedDamaged(path, `is damaged (${what}) and could not be moved (${error}). ${remedy}.`, cause, false)
  }
  const remedy = `It was moved to ${basename(moved)}: a start builds the views again from the log`
  return new DerivedDamaged(path, `is damaged (${what}). ${remedy}.`, cause)
}

/** Removes moved files: they may contain data of deleted players, and nothing that is not in the log. */
export async function removeMoved(path: string): Promise<void> {
  const names = (await readdir(dirname(path))).filter(isMoved(path))
  await Promise.all(names.map((name) => rm(join(dirname(path), name), { force: true, recursive: true })))
}

const isMoved = (path: string) => (name: string) => name.startsWith(basename(path) + DAMAGED)
