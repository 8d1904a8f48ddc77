// A port of the loopback that nobody listens on, for a server that cannot be told to take any.

import { once } from 'node:events'
import { createServer } from 'node:net'

/** Given back before it is answered: another process may take it first, so whoever starts a server on it looks whether it could. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  return address.port
}
