// Refuses commands with 503 while this node's clock is far behind the newest event: their times would be wrong.

import { Refusal } from '../domain/decider.ts'
import type { Handler } from './handle.ts'

/** An operator has to set the clock, or another node's. */
const RETRY_AFTER_S = 60

export function refuseWhileClockBehind(inner: Handler, isFarBehind: () => boolean): Handler {
  return {
    handle: (aggregate, about, context, decision) =>
      isFarBehind() ? Promise.reject(clockBehind()) : inner.handle(aggregate, about, context, decision),
  }
}

function clockBehind(): Refusal {
  const detail =
    'The clock of the server is more than a day behind what it has recorded, so it records nothing until its operator ' +
    'sets the clock. Send it again later with the same Idempotency-Key.'
  return new Refusal('unavailable', 'clock_behind', detail, { retry_after: RETRY_AFTER_S })
}
