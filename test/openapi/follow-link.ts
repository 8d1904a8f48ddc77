// Sends bytes to an upload's link, or fetches a download's. The document does not describe these: an answer must only
// not be a failure of the service.

import type { Random } from '../random.ts'
import { type Pool, take } from './pool.ts'
import { type Connection, type Reply, type Request, sendCall } from './send-call.ts'
import { bytesOf } from './subject-values.ts'

export interface FollowedLink {
  readonly request: Request
  /** An error if the connection broke. */
  readonly reply: Reply | Error
}

const WRONG_SIZE = 0.1
const RANGES = ['bytes=0-9', 'bytes=5-', 'bytes=-3', 'bytes=9999-', 'bytes=x']

/** Follows one of the pool's links; null if there is none. */
export async function followLink(connection: Connection, pool: Pool, random: Random): Promise<FollowedLink | null> {
  const link = random.chance(0.8) ? take(pool.links, random) : random.any(pool.links)
  if (link === null) return null
  const { pathname } = new URL(link.url)
  const ranged: Readonly<Record<string, string>> = random.chance(0.3) ? { range: random.pick(RANGES) } : {}
  const request: Request =
    link.method === 'GET'
      ? { method: 'GET', path: pathname, headers: ranged, payload: undefined }
      : {
          method: 'PUT',
          path: pathname,
          headers: link.headers,
          payload: bytesOf(link.size + (random.chance(WRONG_SIZE) ? 1 : 0)),
        }
  return { request, reply: await sendCall(connection, request).catch((error: Error) => error) }
}
