// Permissions of the data folder: only its owner may read and write it. Each start tightens folders that older
// versions or other programs made readable to others.

import { closeSync, openSync } from 'node:fs'
import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const OTHERS = 0o077
export const PRIVATE_FILE_MODE = 0o600
/** May contain any number of files. Its own permissions keep other users out. */
const NOT_ENTERED = 'files'

/**
 * Creates a missing file, readable only by its owner. SQLite gives the files that it creates next to it the same
 * permissions.
 */
export function makePrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE_MODE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * Removes all permissions of other users from the folder and its files. Returns a sentence for each path that could not
 * be changed, and never throws for it.
 */
export async function tighten(folder: string): Promise<string[]> {
  const failures = await tightenOne(folder)
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(folder, entry.name)
    const isEntered = entry.isDirectory() && entry.name !== NOT_ENTERED
    if (entry.isFile() || entry.isDirectory()) failures.push(...(await (isEntered ? tighten : tightenOne)(path)))
  }
  return failures
}

async function tightenOne(path: string): Promise<string[]> {
  try {
    const { mode } = await lstat(path)
    if ((mode & OTHERS) !== 0) await chmod(path, mode & 0o777 & ~OTHERS)
    return []
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // SQLite or a sweep has removed the file meanwhile.
    if (code === 'ENOENT') return []
    return [`${path} can be read by others than its owner, and its permissions cannot be changed (${code})`]
  }
}
