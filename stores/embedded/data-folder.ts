// The data folder: created on first start with mode 0700; the installation's own secrets in it have mode 0600.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StoresFault } from '../contract/faults.ts'
import { nameNoAccess } from './no-access.ts'

interface Secrets {
  /** base64url, like the keys below. */
  readonly masterKey?: string
  /** Previous master keys, needed until all secrets are re-encrypted. */
  readonly oldMasterKeys?: readonly string[]
}

/** The master key that encrypts, and older keys that can only decrypt. */
interface KeptKeys {
  readonly current: Uint8Array
  readonly previous: readonly Uint8Array[]
}

/** The master keys in the environment. */
interface GivenKeys {
  readonly masterKey: Uint8Array | null
  readonly oldMasterKeys?: readonly Uint8Array[]
}

const OWNER_ONLY = 0o600

/**
 * Creates the folder and returns the master keys: the given ones, or those in `secrets.json`, which the first start
 * creates with a new key. Throws StoresFault if that file was lost, or if a restore into the folder was not finished.
 */
export async function openDataFolder(folder: string, given: GivenKeys = { masterKey: null }): Promise<KeptKeys> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (isRestoreUnfinished(folder)) {
    throw new StoresFault(
      `A restore into ${folder} was not finished: run \`scorebook restore\` with the same --to again, which starts over.`,
    )
  }
  // Another process may be creating the file, and then the log.
  const hasLog = existsSync(join(folder, 'log.sqlite'))
  const kept = await masterKeysOf(folder, given)
  const path = secretsFile(folder)
  await removeSecondLinks(path)
  if (kept !== null) return kept
  if (hasLog) {
    throw new StoresFault(
      `${path} contains no master key, but there is a log next to it: restore the file, or set MASTER_KEY.`,
    )
  }
  await createPrivately(path, secretsOf({ current: randomBytes(32), previous: [] }))
  const made = await masterKeysOf(folder, given)
  if (made === null) throw new StoresFault(`${path} contains no master key: restore the file, or set MASTER_KEY.`)
  return made
}

/** The given master keys, or those in `secrets.json`; null if there are none. Creates nothing. */
export async function masterKeysOf(folder: string, given: GivenKeys): Promise<KeptKeys | null> {
  const previous = given.oldMasterKeys ?? []
  if (given.masterKey !== null) return { current: given.masterKey, previous }
  const { masterKey, oldMasterKeys = [] } = (await readJson<Secrets>(secretsFile(folder))) ?? {}
  if (masterKey === undefined) return null
  return { current: decoded(masterKey), previous: [...oldMasterKeys.map(decoded), ...previous] }
}

/** The file that is in a folder from before a restore into it begins until it has ended. */
const unfinishedFile = (folder: string): string => join(folder, 'restore-unfinished.json')

export const isRestoreUnfinished = (folder: string): boolean => existsSync(unfinishedFile(folder))

/** Creates the folder. Until `endRestore` no server starts on it. */
export async function beginRestore(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writePrivately(unfinishedFile(folder), { begun: new Date().toISOString() })
}

export async function endRestore(folder: string): Promise<void> {
  await rm(unfinishedFile(folder))
  await synced(folder)
}

const OF_A_RESTORE = /^(?:(?:log|log-index|vault|views)\.sqlite.*|log-heads.*|operator\.json.*)$/

/** Removes what an unfinished restore left in a folder that no process has open. */
export async function discardRestore(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => OF_A_RESTORE.test(name))
  for (const name of names) await rm(join(folder, name), { force: true })
  await synced(folder)
}

/** Replaces `secrets.json`. */
export const keepMasterKeys = (folder: string, keys: KeptKeys): Promise<void> =>
  writePrivately(secretsFile(folder), secretsOf(keys))

function secretsOf({ current, previous }: KeptKeys): Secrets {
  const old = previous.length === 0 ? {} : { oldMasterKeys: previous.map(encoded) }
  return { masterKey: encoded(current), ...old }
}

export const secretsFile = (folder: string): string => join(folder, 'secrets.json')

const encoded = (key: Uint8Array): string => Buffer.from(key).toString('base64url')
const decoded = (text: string): Uint8Array => Buffer.from(text, 'base64url')

/** The parsed file, or null if there is none. Throws StoresFault if it is not JSON. */
export async function readJson<Shape>(path: string): Promise<Shape | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return null
    if (failure instanceof SyntaxError) throw new StoresFault(`${path} is not valid JSON: ${failure.message}`)
    throw nameNoAccess(path, failure)
  }
}

/** Writes a file atomically and durably, readable only by its owner. */
export async function writePrivately(path: string, value: unknown): Promise<void> {
  await renameDurably(await writeTemporary(path, value), path)
}

/** File systems without hard links, such as exFAT, answer with one of these. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** As `writePrivately`, unless the file exists: of several processes that begin at once, one creates it. */
async function createPrivately(path: string, value: unknown): Promise<void> {
  const temporary = await writeTemporary(path, value)
  try {
    await link(temporary, path)
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException
    if (NO_LINKS.has(code)) return renameDurably(temporary, path)
    if (code !== 'EEXIST') throw failure
  } finally {
    await rm(temporary, { force: true })
  }
  await synced(dirname(path))
}

/**
 * Removes what `createPrivately` left of a process that was killed: another name of the file, which would outlive its
 * replacement.
 */
async function removeSecondLinks(path: string): Promise<void> {
  const { ino, nlink } = (await stat(path).catch(() => null)) ?? { ino: 0, nlink: 1 }
  if (nlink === 1) return
  const folder = dirname(path)
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.tmp'))
  for (const name of names) {
    const temporary = join(folder, name)
    if ((await stat(temporary).catch(() => null))?.ino === ino) await rm(temporary, { force: true })
  }
}

/** Returns the path of a new file beside the one with this path. */
async function writeTemporary(path: string, value: unknown): Promise<string> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await open(temporary, 'wx', OWNER_ONLY)
  try {
    await file.writeFile(`${JSON.stringify(value, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  return temporary
}

/** Replaces the file at `to`, in the same folder. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await synced(dirname(to))
}

async function synced(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}
