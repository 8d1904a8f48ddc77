// Stores a secret before the event that it belongs to is recorded: permanently in the vault, or for minutes in the
// memory store.

import { Refusal } from '../domain/decider.ts'
import { ShareFull, StoreUnavailable } from '../stores/contract/faults.ts'
import type { Lifetime, Share, Transient } from '../stores/contract/transient.ts'
import type { SecretKind, SecretReference, Vault } from '../stores/contract/vault.ts'

const SHARE_RETRY_AFTER_S = 5

/** 503 `store_away` if the vault does not store it: no event was recorded for it, and repeating the call is safe. */
export async function storeSecret(vault: Vault, kind: SecretKind, id: string, value: Uint8Array): Promise<void> {
  try {
    await vault.putIfAbsent(kind, id, value)
  } catch (cause) {
    const detail =
      'Secrets cannot be stored at the moment. Part of the call may be recorded. Send it again with the same ' +
      'Idempotency-Key.'
    throw Object.assign(new Refusal('unavailable', 'store_away', detail), { cause })
  }
}

/**
 * Records the event that stored secrets belong to. Destroys the secrets if the game is deleted, because the game's
 * removal destroys only secrets that its events name. After any other failure they stay: a repeat may record the event.
 */
export async function recordFor<T>(
  vault: Vault,
  stored: readonly SecretReference[],
  record: () => Promise<T>,
): Promise<T> {
  try {
    return await record()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'game_not_found') {
      await Promise.all(stored.map(({ kind, id }) => vault.destroy(kind, id))).catch(() => {})
    }
    throw error
  }
}

interface ShortLivedOptions extends Lifetime {
  readonly share?: Share | undefined
}

/**
 * Stores a code or ticket for minutes. 429 `rate_limited` if the owner has too many, 503 `store_away` if the store is
 * full.
 */
export async function storeShortLived(
  transient: Transient,
  key: string,
  value: string,
  options: ShortLivedOptions,
): Promise<void> {
  try {
    await transient.put(key, value, options, options.share)
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    if (error instanceof ShareFull) {
      const fields = { retry_after: SHARE_RETRY_AFTER_S, policy: 'waiting' }
      throw new Refusal(
        'too_many',
        'rate_limited',
        `Too many unused tickets. Use them, or wait until they expire.`,
        fields,
      )
    }
    const detail =
      'Too many unused codes and tickets. Part of the call may be recorded. Send it again in a moment with the same ' +
      'Idempotency-Key.'
    throw Object.assign(new Refusal('unavailable', 'store_away', detail), { cause: error })
  }
}
