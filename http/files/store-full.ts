// The refusal of bytes that the file store has no room for.

import { Refusal } from '../../domain/decider.ts'

/** Only an operator makes room: that takes longer than most of what passes by itself. */
const RETRY_AFTER_S = 30

/** 503 `store_full`, with Retry-After. `outcome` says whether the call had an effect. */
export function storeFull(outcome: string): Refusal {
  const detail = `The file store has no room for so many bytes just now. ${outcome}`
  return new Refusal('unavailable', 'store_full', detail, { retry_after: RETRY_AFTER_S })
}
