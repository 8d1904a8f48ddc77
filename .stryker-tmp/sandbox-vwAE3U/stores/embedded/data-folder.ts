// The data folder: created on first start with mode 0700; the installation's own secrets in it have mode 0600.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StoresFault } from '../contract/faults.ts'

interface Secrets {
  /** base64url, as those below. */
  readonly masterKey?: string
  /** Previous master keys, needed until all secrets are re-encrypted. */
  readonly oldMasterKeys?: readonly string[]
}

/** Master keys: the one that seals, and others that may open. */
interface KeptKeys {
  readonly current: Uint8Array
  readonly previous: readonly Uint8Array[]
}

/** What the environment says of master keys. */
interface GivenKeys {
  readonly masterKey: Uint8Array | null
  readonly oldMasterKeys?: readonly Uint8Array[]
}

const OWNER_ONLY = 0o600

/**
 * Makes the folder, and answers the master keys: those given, else those in `secrets.json`, which is made with one on first
 * start. Throws StoresFault where that was lost.
 */
export async function openDataFolder(folder: string, given: GivenKeys = { masterKey: null }): Promise<KeptKeys> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const kept = await masterKeysOf(folder, given)
  if (kept !== null) return kept
  const path = secretsFile(folder)
  if (existsSync(join(folder, 'log.sqlite'))) {
    throw new StoresFault(
      `${path} holds no master key, and there is a log beside it: restore the file, or set MASTER_KEY.`,
    )
  }
  const made = randomBytes(32)
  await keepMasterKeys(folder, { current: made, previous: [] })
  return { current: made, previous: given.oldMasterKeys ?? [] }
}

/** The master keys given, else those in `secrets.json`; null where there are none. Makes nothing. */
export async function masterKeysOf(folder: string, given: GivenKeys): Promise<KeptKeys | null> {
  const previous = given.oldMasterKeys ?? []
  if (given.masterKey !== null) return { current: given.masterKey, previous }
  const { masterKey, oldMasterKeys = [] } = (await readJson<Secrets>(secretsFile(folder))) ?? {}
  if (masterKey === undefined) return null
  return { current: decoded(masterKey), previous: [...oldMasterKeys.map(decoded), ...previous] }
}

/** Writes them to `secrets.json`, in place of those before. */
export function keepMasterKeys(folder: string, { current, previous }: KeptKeys): Promise<void> {
  const old = previous.length === 0 ? {} : { oldMasterKeys: previous.map(encoded) }
  return writePrivately(secretsFile(folder), { masterKey: encoded(current), ...old } satisfies Secrets)
}

export const secretsFile = (folder: string): string => join(folder, 'secrets.json')

const encoded = (key: Uint8Array): string => Buffer.from(key).toString('base64url')
const decoded = (text: string): Uint8Array => Buffer.from(text, 'base64url')

/** The parsed file, or null where there is none. Throws StoresFault for one that is no JSON. */
async function readJson<Shape>(path: string): Promise<Shape | null> {
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
