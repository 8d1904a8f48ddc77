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
  /** Folder for the files; moved to the target when they are complete. */
  readonly folder: string
  /** Removes what is left. */
  remove(): Promise<void>
}

/** Creates a temporary folder with a random name in an existing folder. */
export async function openUnfinished(beside: string): Promise<Unfinished> {
  const workFolder = join(beside, `.scorebook-${randomBytes(6).toString('hex')}.partial`)
  const folder = join(workFolder, EXPORT)
  await mkdir(workFolder, { mode: 0o700 })
  const lock = await locked(workFolder)
  await mkdir(folder, { mode: 0o700 })
  return {
    folder,
    async remove() {
      await rm(folder, { recursive: true, force: true })
      if (lock.isOpen) lock.close()
      await rm(workFolder, { recursive: true, force: true })
    },
  }
}

/** Removes the files of killed exports in the same folder. Returns their number. */
export async function removeUnfinished(beside: string): Promise<number> {
  const entries = await readdir(beside, { withFileTypes: true })
  const workFolders = entries.filter((entry) => entry.isDirectory() && NAME.test(entry.name))
  const abandoned = workFolders.map(({ name }) => join(beside, name)).filter((workFolder) => isAbandoned(workFolder))
  for (const workFolder of abandoned) {
    // Remove the lock last, so that the rest is found again if this process is killed too.
    await rm(join(workFolder, EXPORT), { recursive: true, force: true })
    await rm(workFolder, { recursive: true, force: true })
  }
  return abandoned.length
}

/** An empty SQLite database, used only for its file lock: Node has no file locks. */
async function locked(workFolder: string): Promise<DatabaseSyncInstance> {
  const unlocked = join(workFolder, 'unlocked')
  const lock = new DatabaseSync(unlocked)
  try {
    lock.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
  } catch {
    // The file system has no locks: no process can tell whether the folder is in use, so none removes it.
    return lock
  }
  // Rename only now: others treat an existing lock file that is not locked as left behind.
  await rename(unlocked, join(workFolder, LOCK))
  return lock
}

function isAbandoned(workFolder: string): boolean {
  let lock: DatabaseSyncInstance | null = null
  try {
    lock = new DatabaseSync(join(workFolder, LOCK), { readOnly: true })
    lock.exec('SELECT 1 FROM sqlite_schema')
    return true
  } catch {
    // Locked, missing, or of another user.
    return false
  } finally {
    lock?.close()
  }
}
