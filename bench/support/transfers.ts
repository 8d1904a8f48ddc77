// Code shared by the upload and download measurements: bytes per round, and their cost to the server.

import { cpuSecondsOf, type Size } from './measure.ts'
import type { Loader, Server } from './processes.ts'

export const CONCURRENCY = 4
export const MIB = 1_048_576
/** Bytes per round: enough for a processor clock of 100 ticks per second. */
const ROUND_BYTES = 512 * MIB

/** Transfers of `bytes` per round. */
export function countOf({ quick }: Size, bytes: number): number {
  return Math.ceil((quick ? ROUND_BYTES / 2 : ROUND_BYTES) / bytes)
}

/** The server's processor seconds per transfer. */
export async function costOf(
  loader: Loader,
  { port, pid }: Server,
  requests: readonly string[],
  bodyBytes = 0,
): Promise<number> {
  const before = cpuSecondsOf(pid)
  await loader.load({ port, connections: CONCURRENCY, requests, bodyBytes })
  return (cpuSecondsOf(pid) - before) / requests.length
}
