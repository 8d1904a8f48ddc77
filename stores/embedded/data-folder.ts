// The data folder: made on first start with mode 0700, holding this installation's own secrets with mode 0600.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StoresFault } from '../contract/stores.ts'

export interface Secrets {
  /** base64url. */
  readonly masterKey?: string
}

const OWNER_ONLY = 0o600

/**
 * Makes the folder, and answers the master key: the one given, else the one in `secrets.json`, which is made with it on first
 * start. Throws StoresFault where that was lost.
 */
export async function openDataFolder(folder: string, given: Uint8Array | null): Promise<Uint8Array> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'secrets.json')
  if (given !== null) return given
  const kept = await readJson<Secrets>(path)
  if (kept?.masterKey !== undefined) return Buffer.from(kept.masterKey, 'base64url')
  if (existsSync(join(folder, 'log.sqlite'))) {
    throw new StoresFault(
      `${path} holds no master key, and there is a log beside it: restore the file, or set MASTER_KEY.`,
    )
  }
  const made = randomBytes(32)
  await writePrivately(path, { masterKey: made.toString('base64url') } satisfies Secrets)
  return made
}

/** The parsed file, or null where there is none. Throws StoresFault for one that is no JSON. */
export async function readJson<Shape>(path: string): Promise<Shape | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return null
    if (failure instanceof SyntaxError) throw new StoresFault(`${path} is no JSON: ${failure.message}`)
    throw failure
  }
}

/** Writes a file whole or not at all, readable by its owner only, durable when it returns. */
export async function writePrivately(path: string, value: unknown): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await open(temporary, 'wx', OWNER_ONLY)
  try {
    await file.writeFile(`${JSON.stringify(value, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  const folder = await open(dirname(path), 'r')
  await folder.sync()
  await folder.close()
}
