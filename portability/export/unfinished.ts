// The temporary folder of an unfinished export, next to its target. The writer holds a file lock in it that the
// operating system releases when the process dies, in any container. So the next export in the same place detects a
// killed one and removes its files, which contain personal text.

import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { eventsFile, FORMATS, MANIFEST_FILE, SUMS_FILE } from './manifest.ts'

const NAME = /^\.scorebook-[0-9a-f]{12}\.partial$/
const EXPORT = 'export'
const LOCK = 'lock'

/** A running export writes every few seconds. */
export const ABANDONED_AFTER_MS = 60 * 60_000

/** `.<target>.<random>.partial`, `.<target>.<host>-<process>-<random>.partial` */
const LEFT_FOLDER = /^\..+\.(?:[0-9a-f]{8}-\d+-)?[0-9a-f]{12}\.partial$/s
/** `<target>.<random>.partial`, `.scorebook-<random>.vault.partial` */
const LEFT_VAULT = /^(?:.+\.[0-9a-f]{12}|\.scorebook-[0-9a-f]{12}\.vault)\.partial$/s
const EXPORTED: ReadonlySet<string> = new Set([...FORMATS.map(eventsFile), SUMS_FILE, MANIFEST_FILE])
/** First bytes of each vault file. */
const VAULT_HEAD = Buffer.from('{"scorebook_vault":')

interface Unfinished {
  /** Folder for the files; moved to the target when they are complete. */
  readonly folder: string
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

/**
 * Removes what killed exports left in a folder without a lock: folders of earlier versions, and vault files. Without a
 * lock, a running writer cannot be detected, so a leftover must be an hour old and contain only files that an export
 * writes. Returns their number.
 */
export async function removeLeftovers(beside: string, nowMs: number): Promise<number> {
  let removed = 0
  for (const entry of await readdir(beside, { withFileTypes: true })) {
    const path = join(beside, entry.name)
    const isLeft =
      (entry.isDirectory() && LEFT_FOLDER.test(entry.name) && (await isOldExport(path, nowMs))) ||
      (entry.isFile() && LEFT_VAULT.test(entry.name) && (await isOldVault(path, nowMs)))
    if (!isLeft) continue
    await rm(path, { recursive: true, force: true })
    removed += 1
  }
  return removed
}

async function isOldExport(folder: string, nowMs: number): Promise<boolean> {
  const names = await readdir(folder).catch(() => null)
  if (names === null || names.some((name) => !EXPORTED.has(name))) return false
  const all = await Promise.all([folder, ...names.map((name) => join(folder, name))].map(statOf))
  return all.every((one) => isOld(one, nowMs))
}

async function isOldVault(path: string, nowMs: number): Promise<boolean> {
  if (!isOld(await statOf(path), nowMs)) return false
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return false
  try {
    const head = Buffer.alloc(VAULT_HEAD.length)
    await file.read(head, 0, head.length, 0)
    return head.equals(VAULT_HEAD)
  } finally {
    await file.close()
  }
}

const statOf = (path: string): Promise<Stats | null> => stat(path).catch(() => null)
const isOld = (found: Stats | null, nowMs: number): boolean =>
  found !== null && found.mtimeMs + ABANDONED_AFTER_MS < nowMs

/** Makes the creations, renames and removals of entries in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}
