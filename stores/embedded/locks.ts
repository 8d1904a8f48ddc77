// Locks in this process, and the sweep of expired ones that they share with claims.

import { ClaimsFull } from '../contract/faults.ts'
import { RELEASED_KEPT_MS, type Transient } from '../contract/transient.ts'

/**
 * Claims, locks or secrets checked for expiry by each new one: two, so that expired ones go faster than new ones come.
 */
export const SWEPT_PER_ENTRY = 2

export interface Claim {
  readonly owner: string
  readonly expiresMs: number
}

interface Lock extends Claim {
  /** Released; its last owner is kept. */
  readonly isFree: boolean
}

/** Adds a claim or a lock, and removes expired ones. Throws ClaimsFull. */
export function addClaim<Held extends Claim>(
  held: Map<string, Held>,
  key: string,
  claim: Held,
  { max, nowMs }: { readonly max: number; readonly nowMs: number },
): void {
  held.delete(key)
  let left = held.size >= max ? max : SWEPT_PER_ENTRY
  for (const [other, { expiresMs }] of held) {
    if (left-- === 0) break
    if (expiresMs <= nowMs) held.delete(other)
  }
  if (held.size >= max) throw new ClaimsFull(max)
  held.set(key, claim)
}

/** By a monotonic clock. `max`: locks that are held, or were released a moment ago. */
export function createLocks(max: number): Pick<Transient, 'lock' | 'unlock'> {
  const locks = new Map<string, Lock>()

  function lockOf(key: string, nowMs: number): Lock | null {
    const known = locks.get(key)
    return known === undefined || known.expiresMs <= nowMs ? null : known
  }

  return {
    lock: async (key, owner, forMs) => {
      const nowMs = performance.now()
      const known = lockOf(key, nowMs)
      if (known !== null && known.owner !== owner && !known.isFree) return false
      addClaim(locks, key, { owner, expiresMs: nowMs + forMs, isFree: false }, { max, nowMs })
      return true
    },

    unlock: async (key, owner) => {
      const nowMs = performance.now()
      const known = lockOf(key, nowMs)
      if (known === null) return true
      if (known.owner !== owner) return false
      locks.set(key, { owner, expiresMs: nowMs + RELEASED_KEPT_MS, isFree: true })
      return true
    },
  }
}
