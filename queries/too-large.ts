// What a board may take of memory while something of it is computed: past that it is refused, with what to do.

import { Refusal } from '../domain/decider.ts'

/** Throws 422 `board_too_large`. Both are bytes. */
export function checkFits(taken: number, most: number): void {
  if (taken <= most) return
  const mib = Math.floor(most / 2 ** 20)
  const detail = `This leaderboard is too large to be computed here: it takes more than the ${mib} MiB of memory that one may. Who runs the service can give its processes more.`
  throw new Refusal('unprocessable', 'board_too_large', detail)
}
