// Key rotation: re-encrypts secrets of previous master keys under the current one. It runs while others use the vault
// and can be interrupted at any time. Each secret is replaced by compare-and-set, so concurrent changes are never
// undone.

import type { Placed, Secret, VaultStore } from '../contract/vault.ts'
import { byId, keyIdOf, type MasterKeys, openRow, sealRow } from './row.ts'

/** Secrets read at once, and exchanged at once: an embedded vault makes them durable together. */
const PAGE = 128
/** What is found under a previous key again and again is being written by somebody. */
const MOST_PASSES = 8

export interface Resealed {
  /** Secrets that were re-encrypted. */
  readonly resealed: number
  /** Ids of master keys that are not set -> how many secrets they encrypt. */
  readonly foreign: ReadonlyMap<string, number>
  /** Secrets that the key whose id they bear does not open: changed or moved, and no use to anybody. */
  readonly damaged: number
  /**
   * Whether the previous keys decrypt nothing any more. Only then is the installation's marker under the current one.
   */
  readonly isComplete: boolean
}

interface Resealing {
  /** Called after each re-encrypted secret. */
  readonly moved?: () => void
  /** Breaks it off between two pages, by rejecting with its reason. */
  readonly signal?: AbortSignal
}

/** Rejects with StoreAway or another error of the store: secrets re-encrypted by then stay so. */
export async function reseal(vault: VaultStore, keys: MasterKeys, resealing: Resealing = {}): Promise<Resealed> {
  const exchange = exchanging(vault, keys)
  let resealed = 0
  for (let pass = 1; ; pass += 1) {
    const { moved, lost, damaged, foreign, own } = await passOver(vault, exchange, resealing)
    resealed += moved
    const isLast = moved + lost === 0
    if (foreign.size > 0 || (!isLast && pass === MOST_PASSES)) return { resealed, foreign, damaged, isComplete: false }
    if (!isLast) continue
    // Others may have written under a previous key behind the first pass: the mark waits for one that finds nothing.
    for (const place of own) if (await exchangeNow(vault, exchange, place)) resealed += 1
    return { resealed, foreign, damaged, isComplete: true }
  }
}

/** Ids of master keys -> how many secrets they encrypt; '' -> how many are destroyed. */
export async function countByKey(vault: VaultStore): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for await (const page of pagesOf(vault)) for (const { value } of page) count(counts, keyIdOf(value))
  return counts
}

/** Re-encrypts in the background. `stop` resolves once it no longer uses the vault. */
export function resealBeside(
  vault: VaultStore,
  keys: MasterKeys,
  told: { done(what: Resealed): void; failed(why: unknown): void },
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = reseal(vault, keys, { signal }).then(told.done, (why: unknown) => {
    if (!signal.aborted) told.failed(why)
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
    // What is buried is empty, and has no key.
    if (name === current.id || secret.value.length === 0) return 'current'
    const key = keys.get(name)
    if (key === undefined) return 'foreign'
    const value = openRow(key, secret, secret.value)
    if (value === null) return 'damaged'
    return (await vault.swap(secret, secret.value, sealRow(current, secret, value))) ? 'moved' : 'lost'
  }
}

/** `own`: what the installation keeps of itself, in the order to exchange it in. That is left for the end. */
async function passOver(vault: VaultStore, exchange: Exchange, { moved = () => {}, signal }: Resealing) {
  const found = { moved: 0, lost: 0, damaged: 0, current: 0 }
  const foreign = new Map<string, number>()
  const own: Placed[] = []
  const one = async (secret: Secret) => {
    const outcome = await exchange(secret)
    if (outcome === 'moved') moved()
    if (outcome === 'foreign') count(foreign, keyIdOf(secret.value))
    else found[outcome] += 1
  }
  for await (const page of pagesOf(vault)) {
    signal?.throwIfAborted()
    own.push(...page.filter(({ kind }) => kind === 'installation'))
    await Promise.all(page.filter(({ kind }) => kind !== 'installation').map(one))
  }
  const marksLast = own.toSorted((one, other) => Number(one.id === LAST) - Number(other.id === LAST))
  return { ...found, foreign, own: marksLast }
}

/** The mark by which a start knows its master key. */
const LAST = 'begun'

/** Until the current key encrypts it, or it is gone. Returns whether it was re-encrypted. Rejects if it cannot be decrypted. */
async function exchangeNow(vault: VaultStore, exchange: Exchange, { kind, id }: Placed): Promise<boolean> {
  for (;;) {
    const value = await vault.get(kind, id)
    if (value === null) return false
    const outcome = await exchange({ kind, id, value })
    if (outcome === 'moved') return true
    if (outcome === 'current') return false
    if (outcome !== 'lost') throw new Error(`The ${kind} of ${id} does not open under master key ${keyIdOf(value)}`)
  }
}

async function* pagesOf(vault: VaultStore): AsyncIterable<readonly Secret[]> {
  for (let after: Placed | null = null; ; ) {
    const page = await vault.scan(after, PAGE)
    yield page
    if (page.length < PAGE) return
    after = page.at(-1) ?? null
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
