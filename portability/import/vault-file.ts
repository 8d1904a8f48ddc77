// Exports and imports the vault as a file. Its secrets stay encrypted, so it is useless without the master key.
// Players' encryption keys are left out: an import encrypts their texts under new ones.

import { randomBytes } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StoresFault } from '../../stores/contract/faults.ts'
import type { Secret, SecretKind, VaultStore } from '../../stores/contract/vault.ts'
import { keyIdOf } from '../../stores/log-decorators/sealing/row.ts'
import { vaultPages } from '../../stores/log-decorators/sealing/vault.ts'
import { removeLeftovers } from '../export/unfinished.ts'

const PAGE = 1_000
const OWNER_ONLY = 0o600
const NAME_MAX_BYTES = 255
/** The installation's own secrets that are exported. */
const TAKEN_OF_OWN: ReadonlySet<string> = new Set(['root', 'begun', 'restored'])

interface Head {
  readonly scorebook_vault: 1
  readonly installation: string
}

/** Writes the file completely or not at all. Returns the number of secrets. Rejects if the file exists. */
export async function writeVaultFile(path: string, vault: VaultStore, installation: string): Promise<number> {
  if (Buffer.byteLength(basename(path)) > NAME_MAX_BYTES) {
    throw new StoresFault(
      `${path} has a name of more than ${NAME_MAX_BYTES} bytes, which no disk accepts: choose a shorter one.`,
    )
  }
  await removeLeftovers(dirname(path), Date.now())
  // The temporary name is short, however long the target name is.
  const partial = join(dirname(path), `.scorebook-${randomBytes(6).toString('hex')}.vault.partial`)
  const file = await open(partial, 'wx', OWNER_ONLY)
  let count = 0
  try {
    const lines = (rows: readonly unknown[]) => file.writeFile(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    await lines([{ scorebook_vault: 1, installation } satisfies Head])
    for await (const page of vaultPages(vault, PAGE)) {
      const taken = page.filter(isTaken)
      count += taken.length
      await lines(taken.map(({ kind, id, value }) => ({ kind, id, value: Buffer.from(value).toString('base64') })))
    }
    await lines([{ secrets: count }])
    await file.sync()
    await file.close()
    await rename(partial, path)
    return count
  } catch (failure) {
    await file.close().catch(() => {})
    await rm(partial, { force: true })
    throw failure
  }
}

const isTaken = ({ kind, id }: Secret): boolean =>
  kind !== 'player-key' && (kind !== 'installation' || TAKEN_OF_OWN.has(id))

interface VaultFile {
  readonly installation: string
  readonly secrets: readonly Secret[]
}

/**
 * Throws StoresFault if the file is incomplete or not a vault file, or if a secret is encrypted under a key that is not
 * set.
 */
export async function readVaultFile(path: string, keyIds: ReadonlySet<string>): Promise<VaultFile> {
  const text = await readFile(path, 'utf8').catch((failure: NodeJS.ErrnoException) => {
    throw failure.code === 'ENOENT' ? new StoresFault(`There is no file ${path}.`) : failure
  })
  const rows = text.split('\n').map((line) => parsed(line))
  const head = rows.at(0) as Partial<Head> | null
  const end = rows.at(-2) as { readonly secrets?: number } | null
  if (head?.scorebook_vault !== 1 || typeof head.installation !== 'string') {
    throw new StoresFault(`${path} is not a vault file of \`history export --all --vault\`.`)
  }
  const secrets = rows.slice(1, -2).flatMap((row) => secretIn(row) ?? [])
  if (end?.secrets !== secrets.length || rows.length !== secrets.length + 3) {
    throw new StoresFault(`${path} was cut or changed: it has another number of secrets than it states.`)
  }
  const foreign = new Set(secrets.map(({ value }) => keyIdOf(value)).filter((id) => id !== '' && !keyIds.has(id)))
  if (foreign.size > 0) {
    throw new StoresFault(
      `${path} is encrypted under master key ${[...foreign].join(', ')}, but the configured keys are ${[...keyIds].join(', ')}. ` +
        'Give that one as MASTER_KEY, or in MASTER_KEY_OLD.',
    )
  }
  return { installation: head.installation, secrets }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** A secret in a file: its kind, its id, and its encrypted value in base64. Null for anything else. */
export function secretIn(row: unknown): Secret | null {
  const { kind, id, value } = (row ?? {}) as Partial<Readonly<Record<keyof Secret, unknown>>>
  if (typeof kind !== 'string' || typeof id !== 'string' || typeof value !== 'string') return null
  return { kind: kind as SecretKind, id, value: new Uint8Array(Buffer.from(value, 'base64')) }
}
