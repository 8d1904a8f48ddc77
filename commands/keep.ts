// Keeping a secret before what it is for is recorded.

import { Refusal } from '../domain/decider.ts'
import type { SecretKind, Vault } from '../stores/contract/vault.ts'

/** 503 `store_away` where the vault does not take it: what it is for is not recorded, and repeating the call is safe. */
export async function keep(vault: Vault, kind: SecretKind, id: string, value: Uint8Array): Promise<void> {
  try {
    await vault.putIfAbsent(kind, id, value)
  } catch (cause) {
    const detail =
      'Secrets cannot be kept just now. What the call did before may be recorded: send it again, with the same ' +
      'Idempotency-Key.'
    throw Object.assign(new Refusal('unavailable', 'store_away', detail), { cause })
  }
}
