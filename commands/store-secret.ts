// Keeping a secret before what it is for is recorded: for good in the vault, or for minutes in the memory store.

import { Refusal } from '../domain/decider.ts'
import { ShareFull, StoreUnavailable } from '../stores/contract/faults.ts'
import type { Lifetime, Share, Transient } from '../stores/contract/transient.ts'
import type { SecretKind, SecretReference, Vault } from '../stores/contract/vault.ts'

const SHARE_RETRY_AFTER_S = 5

/**
 * 503 `store_away` where the vault does not take it: what it is for is not recorded, and repeating the call is safe.
 */
export async function storeSecret(vault: Vault, kind: SecretKind, id: string, value: Uint8Array): Promise<void> {
  try {
    await vault.putIfAbsent(kind, id, value)
  } catch (cause) {
    const detail =
      'Secrets cannot be kept just now. What the call did before may be recorded: send it again, with the same ' +
      'Idempotency-Key.'
    throw Object.assign(new Refusal('unavailable', 'store_away', detail), { cause })
  }
}

/**
 * Records what stored secrets are for. Destroys them where that is refused because the game is deleted: the removal of the game
 * destroys only secrets that its events name. Any other failure leaves them: the same call may be recorded when it is repeated.
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
 * What is good for minutes: a code, a ticket. 429 `rate_limited` where its owner has used up their share, 503 `store_away`
 * where there is no room for it.
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
      throw new Refusal('too_many', 'rate_limited', `Too many tickets wait to be used. Use them, or wait.`, fields)
    }
    const detail =
      'Too many codes and tickets wait to be used. What the call did before may be recorded: send it again in a moment, ' +
      'with the same Idempotency-Key.'
    throw Object.assign(new Refusal('unavailable', 'store_away', detail), { cause: error })
  }
}
