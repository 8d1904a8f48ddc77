// The day on which each API key was last used, in UTC. It is kept in the vault and written at most once a day per key and node, so
// that a call costs a look-up in memory.

import { lru } from '../cache/lru.ts'
import type { Vault } from '../stores/contract/vault.ts'

/** Keys whose day this node remembers; a forgotten one costs a read. */
const KEYS_REMEMBERED = 10_000
const DAY_CHARACTERS = 'YYYY-MM-DD'.length

export interface LastUsed {
  /** Records that a key is used now. Does not wait, and never throws: after a failure the next use tries again. */
  note(prefix: string, nowMs: number): void
}

/** `failed` gets the error of a write. */
export function createLastUsed(vault: Vault, failed: (error: unknown) => void): LastUsed {
  const days = lru<string, number>(KEYS_REMEMBERED)
  return {
    note(prefix, nowMs) {
      const day = Math.floor(nowMs / 86_400_000)
      if (days.get(prefix) === day) return
      days.set(prefix, day)
      record(vault, prefix, new Date(nowMs).toISOString().slice(0, DAY_CHARACTERS)).catch((error: unknown) => {
        days.delete(prefix)
        failed(error)
      })
    },
  }
}

/** Keeps the later day: another node may be ahead. */
async function record(vault: Vault, prefix: string, day: string): Promise<void> {
  const stored = text(await vault.putIfAbsent('last-used', prefix, Buffer.from(day)))
  // An empty value belongs to a key whose game was deleted.
  if (stored !== '' && stored < day) await vault.replace('last-used', prefix, Buffer.from(day))
}

/** `YYYY-MM-DD`; null if the key was never used. */
export async function lastUsedOf(vault: Pick<Vault, 'get'>, prefix: string): Promise<string | null> {
  const stored = await vault.get('last-used', prefix)
  return stored === null || stored.length === 0 ? null : text(stored)
}

const text = (value: Uint8Array): string => Buffer.from(value).toString()
