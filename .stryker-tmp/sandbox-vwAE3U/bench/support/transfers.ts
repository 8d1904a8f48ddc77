// What the measurements of uploads and downloads share: how many bytes a round moves, and what they cost the server.

import { cpuSecondsOf, type Size } from './measure.ts'
import type { Loader, Server } from './processes.ts'

export const AT_ONCE = 4
export const MIB = 1_048_576
/** Bytes moved in a round: enough for the processor's clock, which ticks a hundred times a second. */
const ROUND_BYTES = 512 * MIB

/** Transfers of `bytes` in a round. */
export function countOf({ quick }: Size, bytes: number): number {
  return Math.ceil((quick ? ROUND_BYTES / 2 : ROUND_BYTES) / bytes)
}

/** The server's seconds of processor time per transfer. */
export async function costOf(
  loader: Loader,
  { port, pid }: Server,
  requests: readonly string[],
  bodyBytes = 0,
): Promise<number> {
  const before = cpuSecondsOf(pid)
  await loader.load({ port, connections: AT_ONCE, requests, bodyBytes })
  return (cpuSecondsOf(pid) - before) / requests.length
}
