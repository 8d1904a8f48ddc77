// Key rotation: re-encrypts secrets of previous master keys under the current one. It runs while others use the vault
// and can be interrupted at any time. Each secret is replaced by compare-and-set, so concurrent changes are never
// undone.

import type { Secret, SecretReference, VaultStore } from '../../contract/vault.ts'
import { byId, keyIdOf, type MasterKeys, openRow, sealRow } from './row.ts'
import { vaultPages } from './vault.ts'

/** Secrets per page, read and replaced together: an embedded vault syncs them together. */
const PAGE = 128
/** If passes keep finding previous keys, another process is still writing with one. */
const MAX_PASSES = 8

export interface Reencrypted {
  readonly reencrypted: number
  /** Id of a master key that is not configured -> number of secrets encrypted under it. */
  readonly foreign: ReadonlyMap<string, number>
  /** Number of secrets that their own key does not decrypt: they were changed or moved, and are lost. */
  readonly damaged: number
  /**
   * Whether all secrets use the current key. Only then is the installation's marker encrypted under the current one.
   */
  readonly isComplete: boolean
}

interface ReencryptOptions {
  /** Called after each re-encrypted secret. */
  readonly moved?: () => void
  /** Stops it between two pages; the promise rejects with the reason. */
  readonly signal?: AbortSignal
}

/** Rejects with StoreUnavailable or another error of the store; secrets re-encrypted by then stay so. Idempotent. */
export async function reencrypt(
  vault: VaultStore,
  keys: MasterKeys,
  reencryptOptions: ReencryptOptions = {},
): Promise<Reencrypted> {
  const exchange = exchanging(vault, keys)
  let reencrypted = 0
  for (let pass = 1; ; pass += 1) {
    const { moved, lost, damaged, foreign, own } = await passOver(vault, exchange, reencryptOptions)
    reencrypted += moved
    const isLast = moved + lost === 0
    if (foreign.size > 0 || (!isLast && pass === MAX_PASSES))
      return { reencrypted, foreign, damaged, isComplete: false }
    if (!isLast) continue
    // Others may write under a previous key behind a pass, so the marker waits for a pass that finds nothing.
    for (const reference of own) if (await exchangeNow(vault, exchange, reference)) reencrypted += 1
    return { reencrypted, foreign, damaged, isComplete: true }
  }
}

/** Id of a master key -> number of secrets encrypted under it; '' -> number of tombstones. */
export async function countByKey(vault: VaultStore): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for await (const page of vaultPages(vault, PAGE)) for (const { value } of page) count(counts, keyIdOf(value))
  return counts
}

/** Re-encrypts in the background. `stop` resolves when it no longer uses the vault. */
export function reencryptBeside(
  vault: VaultStore,
  keys: MasterKeys,
  on: { done(what: Reencrypted): void; failed(error: unknown): void },
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = reencrypt(vault, keys, { signal }).then(on.done, (error: unknown) => {
    if (!signal.aborted) on.failed(error)
  })
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}

type Outcome = 'current' | 'moved' | 'lost' | 'damaged' | 'foreign'
type Exchange = (secret: Secret) => Promise<Outcome>

function exchanging(vault: VaultStore, masterKeys: MasterKeys): Exchange {
  const { current } = masterKeys
  const keys = byId(masterKeys)
  return async (secret) => {
    const name = keyIdOf(secret.value)
    // A tombstone is empty, and has no key.
    if (name === current.id || secret.value.length === 0) return 'current'
    const key = keys.get(name)
    if (key === undefined) return 'foreign'
    const value = openRow(key, secret, secret.value)
    if (value === null) return 'damaged'
    return (await vault.swap(secret, secret.value, sealRow(current, secret, value))) ? 'moved' : 'lost'
  }
}

/** `own`: the installation's own secrets, in the order to re-encrypt them at the end. */
async function passOver(vault: VaultStore, exchange: Exchange, { moved = () => {}, signal }: ReencryptOptions) {
  const found = { moved: 0, lost: 0, damaged: 0, current: 0 }
  const foreign = new Map<string, number>()
  const own: SecretReference[] = []
  const one = async (secret: Secret) => {
    const outcome = await exchange(secret)
    if (outcome === 'moved') moved()
    if (outcome === 'foreign') count(foreign, keyIdOf(secret.value))
    else found[outcome] += 1
  }
  for await (const page of vaultPages(vault, PAGE)) {
    signal?.throwIfAborted()
    own.push(...page.filter(({ kind }) => kind === 'installation'))
    await Promise.all(page.filter(({ kind }) => kind !== 'installation').map(one))
  }
  const marksLast = own.toSorted((one, other) => Number(one.id === LAST) - Number(other.id === LAST))
  return { ...found, foreign, own: marksLast }
}

/** The marker from which a start learns the master key. */
const LAST = 'begun'

/**
 * Retries until the secret uses the current key or is gone. Returns whether it was re-encrypted. Rejects if it cannot
 * be decrypted.
 */
async function exchangeNow(vault: VaultStore, exchange: Exchange, { kind, id }: SecretReference): Promise<boolean> {
  for (;;) {
    const value = await vault.get(kind, id)
    if (value === null) return false
    const outcome = await exchange({ kind, id, value })
    if (outcome === 'moved') return true
    if (outcome === 'current') return false
    if (outcome !== 'lost') throw new Error(`The ${kind} of ${id} does not open under master key ${keyIdOf(value)}`)
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
