// The temporary folder of an unfinished export, next to its target. The writer holds a file lock in it that the
// operating system releases when the process dies, in any container. So the next export in the same place detects a
// killed one and removes its files, which contain personal text.

import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'

const NAME = /^\.scorebook-[0-9a-f]{12}\.partial$/
const EXPORT = 'export'
const LOCK = 'lock'

interface Unfinished {
  /** For the files; to be moved away once they are whole. */
  readonly folder: string
  /** Takes away what is still there. */
  remove(): Promise<void>
}

/** In a folder that is there, under another name each time. */
export async function openUnfinished(beside: string): Promise<Unfinished> {
  const place = join(beside, `.scorebook-${randomBytes(6).toString('hex')}.partial`)
  const folder = join(place, EXPORT)
  await mkdir(place, { mode: 0o700 })
  const lock = await locked(place)
  await mkdir(folder, { mode: 0o700 })
  return {
    folder,
    async remove() {
      await rm(folder, { recursive: true, force: true })
      if (lock.isOpen) lock.close()
      await rm(place, { recursive: true, force: true })
    },
  }
}

/** Removes what exports beside it left when they were killed. Gives how many they were. */
export async function removeUnfinished(beside: string): Promise<number> {
  const entries = await readdir(beside, { withFileTypes: true })
  const places = entries.filter((entry) => entry.isDirectory() && NAME.test(entry.name))
  const left = places.map(({ name }) => join(beside, name)).filter((place) => isLeft(place))
  for (const place of left) {
    // The lock last, by which the rest is found again where this is killed too.
    await rm(join(place, EXPORT), { recursive: true, force: true })
    await rm(place, { recursive: true, force: true })
  }
  return left.length
}

/** Nothing is written to it: it is there for the lock that SQLite takes on it, which Node itself has no way to. */
async function locked(place: string): Promise<DatabaseSyncInstance> {
  const unlocked = join(place, 'unlocked')
  const lock = new DatabaseSync(unlocked)
  try {
    lock.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
  } catch {
    // A file system without locks: nobody can tell whether this is written to, and so nobody removes it.
    return lock
  }
  // Only now, as others take it for left behind where it is there and not held.
  await rename(unlocked, join(place, LOCK))
  return lock
}

function isLeft(place: string): boolean {
  let lock: DatabaseSyncInstance | null = null
  try {
    lock = new DatabaseSync(join(place, LOCK), { readOnly: true })
    lock.exec('SELECT 1 FROM sqlite_schema')
    return true
  } catch {
    // Held; or not there yet, or any more; or another user's.
    return false
  } finally {
    lock?.close()
  }
}
