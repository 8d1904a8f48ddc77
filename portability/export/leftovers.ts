// Removes what killed exports left without a lock: folders of earlier versions, and vault files. Without a lock, a
// running writer cannot be detected, so a leftover must be an hour old and contain only files that an export writes.

import type { Stats } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { eventsFile, FORMATS, MANIFEST_FILE, SUMS_FILE } from './manifest.ts'

/** A running export writes every few seconds. */
export const ABANDONED_AFTER_MS = 60 * 60_000

/** `.<target>.<random>.partial`, `.<target>.<host>-<process>-<random>.partial` */
const FOLDER = /^\..+\.(?:[0-9a-f]{8}-\d+-)?[0-9a-f]{12}\.partial$/s
/** `<target>.<random>.partial`, `.scorebook-<random>.vault.partial` */
const VAULT = /^(?:.+\.[0-9a-f]{12}|\.scorebook-[0-9a-f]{12}\.vault)\.partial$/s
const EXPORTED: ReadonlySet<string> = new Set([...FORMATS.map(eventsFile), SUMS_FILE, MANIFEST_FILE])
/** First bytes of each vault file. */
const VAULT_HEAD = Buffer.from('{"scorebook_vault":')

/** Removes the leftovers in a folder. Returns their number. */
export async function removeLeftovers(beside: string, nowMs: number): Promise<number> {
  let removed = 0
  for (const entry of await readdir(beside, { withFileTypes: true })) {
    const path = join(beside, entry.name)
    const isLeft =
      (entry.isDirectory() && FOLDER.test(entry.name) && (await isOldExport(path, nowMs))) ||
      (entry.isFile() && VAULT.test(entry.name) && (await isOldVault(path, nowMs)))
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
