// The day on which each API key was last used, and each session last got a token, in UTC. It is kept in the vault and
// written at most once a day per key or session and node, so that a call costs a look-up in memory.

import { lru } from '../runtime/lru.ts'
import type { Vault } from '../stores/contract/vault.ts'

/** Keys, and sessions, whose day is cached on this node; a day that is not cached costs a read. */
const MAX_CACHED_DAYS = 10_000
/** Milliseconds without writes after a failed one: the store is full or unavailable. */
const RETRY_MS = 60_000
const DAY_CHARACTERS = 'YYYY-MM-DD'.length

type DayVault = Pick<Vault, 'putIfAbsent' | 'replace'>

/** What has a last use: a key by its prefix, a session by its id. */
export type LastUsedKind = 'last-used' | 'session-used'

export interface LastUsed {
  /** Records a use now. Does not wait, and never throws: after a failure a use a minute later tries again. */
  note(id: string, nowMs: number): void
}

/** `failed` gets the error of a write. */
export function createLastUsed(vault: DayVault, kind: LastUsedKind, failed: (error: unknown) => void): LastUsed {
  const days = lru<string, number>(MAX_CACHED_DAYS)
  let retryAtMs = 0
  return {
    note(id, nowMs) {
      const day = Math.floor(nowMs / 86_400_000)
      if (days.get(id) === day || nowMs < retryAtMs) return
      days.set(id, day)
      record(vault, { kind, id }, dayOf(new Date(nowMs).toISOString())).catch((error: unknown) => {
        retryAtMs = nowMs + RETRY_MS
        days.delete(id)
        failed(error)
      })
    },
  }
}

/** Keeps the later day: another node may be ahead. */
async function record(vault: DayVault, { kind, id }: Used, day: string): Promise<void> {
  const stored = text(await vault.putIfAbsent(kind, id, Buffer.from(day)))
  // An empty value belongs to what was deleted for good.
  if (stored !== '' && stored < day) await vault.replace(kind, id, Buffer.from(day))
}

interface Used {
  readonly kind: LastUsedKind
  readonly id: string
}

/** `YYYY-MM-DD`; null if no use was recorded. */
export async function lastUsedOf(vault: Pick<Vault, 'get'>, { kind, id }: Used): Promise<string | null> {
  const stored = await vault.get(kind, id)
  return stored === null || stored.length === 0 ? null : text(stored)
}

/** The day of an ISO 8601 time in UTC. */
export const dayOf = (time: string): string => time.slice(0, DAY_CHARACTERS)

const text = (value: Uint8Array): string => Buffer.from(value).toString()
