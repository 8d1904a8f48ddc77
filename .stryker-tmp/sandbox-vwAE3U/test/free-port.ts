// A port of the loopback that nobody listens on, for a server that cannot take any free port, or must be found again
// where it was.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** Above those of servers that machines have for good. */
const FIRST = 10_240
/** Fewer than so many are too few to find a free one among. */
const ENOUGH = 1_000
/** Where the system does not say which ports it gives out by itself, they begin here. */
const GIVEN_OUT_FROM = 32_768

/**
 * Below those that the system gives out by itself: while the server on it is away, it comes neither to somebody's
 * connection nor to a server that takes any port. Another process may pick the same one, so the caller that starts a
 * server on it looks whether it could.
 */
export async function freePort(): Promise<number> {
  const end = givenOutFrom()
  for (;;) {
    const port = await taken(end - FIRST < ENOUGH ? 0 : randomInt(FIRST, end))
    if (port !== null) return port
  }
}

/** The port, given back; null where somebody else has it. */
async function taken(port: number): Promise<number | null> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'EADDRINUSE') return null
    throw failure
  }
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  return address.port
}

function givenOutFrom(): number {
  try {
    const [from] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'latin1').trim().split(/\s+/)
    return Number(from)
  } catch {
    return GIVEN_OUT_FROM
  }
}
