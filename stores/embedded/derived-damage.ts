// Damage of a file that is built from the log: it is removed, or moved away if it is of the views, and the next start
// builds it.

import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StoreUnavailable } from '../contract/faults.ts'
import { removeDerived } from './derived-database.ts'

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
