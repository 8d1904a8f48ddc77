// The refusal of bytes that the file store has no room for.

import { Refusal } from '../../domain/decider.ts'

/** Only an operator can free space, so callers wait longer than for other limits. */
const RETRY_AFTER_S = 30

/** 503 `store_full`, with Retry-After. `outcome` says whether the call had an effect. */
export function storeFull(outcome: string): Refusal {
  const detail = `The file store does not have enough free space. ${outcome}`
  return new Refusal('unavailable', 'store_full', detail, { retry_after: RETRY_AFTER_S })
}
