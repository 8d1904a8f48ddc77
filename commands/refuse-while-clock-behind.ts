// Refuses commands with 503 while this node's clock is far behind the newest event: their times would be wrong.

import { Refusal } from '../domain/decider.ts'
import type { Handlers } from './handle.ts'
import { refusing } from './refusing.ts'

/** An operator has to set the clock, or another node's. */
const RETRY_AFTER_S = 60

export const refuseWhileClockBehind = (inner: Handlers, isFarBehind: () => boolean): Handlers =>
  refusing(inner, () => (isFarBehind() ? clockBehind() : null))

function clockBehind(): Refusal {
  const detail =
    'The clock of the server is more than a day behind what it has recorded, so it records nothing until its operator ' +
    'sets the clock. Send it again later with the same Idempotency-Key.'
  return new Refusal('unavailable', 'clock_behind', detail, { retry_after: RETRY_AFTER_S })
}
