// A bucket's quota with many uploads open, decided and folded as the write path does, without a log.

import { NEW_BUCKET } from '../domain/bucket.ts'
import type { Decision } from '../domain/decider.ts'
import { type QuotaEvent, quota } from '../domain/quota.ts'
import type { Quota } from '../domain/quota-state.ts'
import { beginUpload, releaseUpload } from '../domain/reserve.ts'

const ENOUGH = 2 ** 50
const LIMITS = { ...NEW_BUCKET, maxBytes: ENOUGH, maxFiles: ENOUGH, playerMaxBytes: ENOUGH, playerMaxFiles: ENOUGH }
const TIME = '2026-01-01T00:00:00.000Z'
const PLAYERS = 1_000

/** Does so many times: begins an upload and lets the one go that has been open longest, so that their number stays. */
export function begunInProcess(open: number): (steps: number) => void {
  let state: Quota = quota.initial
  let begun = 0
  const taken = (decision: Decision<Quota, QuotaEvent>) => {
    for (const event of decision(state, begun)) state = quota.evolve(state, event, { revision: begun, time: TIME })
  }
  const begin = () => {
    const fresh = { upload: `upload ${begun}`, owner: `player ${begun % PLAYERS}`, bytes: 1_000, files: 1 }
    taken(beginUpload({ ...fresh, size: 1_000, expires: TIME }, LIMITS))
    begun++
  }
  while (begun < open) begin()
  return (steps) => {
    for (let step = 0; step < steps; step++) {
      begin()
      taken(releaseUpload(`upload ${begun - open - 1}`))
    }
  }
}
