// What a sign-in leaves for minutes: codes and tickets.

import { Refusal } from '../../domain/decider.ts'
import { StoreAway } from '../../stores/contract/faults.ts'
import type { Transient } from '../../stores/contract/transient.ts'

/** 503 `store_away` where there is no room for it. */
export async function keepShortly(
  transient: Transient,
  key: string,
  value: string,
  nowMs: number,
  expiresMs: number,
): Promise<void> {
  try {
    await transient.put(key, value, nowMs, expiresMs)
  } catch (why) {
    if (why instanceof StoreAway) throw why
    const detail =
      'Too many sign-ins are under way. What the call did before may be recorded: send it again in a moment, with the ' +
      'same Idempotency-Key.'
    throw Object.assign(new Refusal('unavailable', 'store_away', detail), { cause: why })
  }
}
