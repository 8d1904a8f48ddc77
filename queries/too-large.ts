// Refuses reads that need more memory than is allowed for computing a board.

import { Refusal } from '../domain/decider.ts'

/** Throws 422 `board_too_large` if a board needs more than `max` bytes. */
export function checkFits(bytes: number, max: number): void {
  if (bytes <= max) return
  const mib = Math.floor(max / 2 ** 20)
  const detail = `This leaderboard is too large to compute: it needs more than ${mib} MiB of memory. The operator of the service can allow more.`
  throw new Refusal('unprocessable', 'board_too_large', detail)
}
