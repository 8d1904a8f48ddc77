// Reads the body of a request that a polling client posts, in place of Engine.IO, which joins strings chunk by chunk: a
// body of one-byte chunks costs it a thousand times its bytes. Chunks, bytes, time and the bodies of one network that
// are under way at once are bounded here.

import type { IncomingMessage } from 'node:http'
import { FRAME_MOST_BYTES, POST_CHUNKS_MOST, POST_FIRST_BYTES, POST_WITHIN_MS, POSTS_PER_NETWORK } from './limits.ts'
import type { Account, Received } from './received.ts'

/** A body, or why it was not read; `gone`: the client ended the request. */
export type Posted = { readonly text: string } | { readonly status: 408 | 413 | 429 } | 'gone'

export interface Posts {
  /** Never rejects. What is left of a refused body is not read. */
  read(request: IncomingMessage, network: string): Promise<Posted>
}

export interface PostLimits {
  readonly perNetwork: number
  readonly chunks: number
  readonly withinMs: number
}

const LIMITS: PostLimits = { perNetwork: POSTS_PER_NETWORK, chunks: POST_CHUNKS_MOST, withinMs: POST_WITHIN_MS }

export function createPosts(received: Received, limits: PostLimits = LIMITS): Posts {
  const underWay = new Map<string, number>()
  return {
    async read(request, network) {
      const count = underWay.get(network) ?? 0
      if (count >= limits.perNetwork) return { status: 429 }
      underWay.set(network, count + 1)
      const account = received.account(network)
      const posted = await readBody(request, account, limits)
      account.close()
      const left = (underWay.get(network) ?? 1) - 1
      if (left > 0) underWay.set(network, left)
      else underWay.delete(network)
      return posted
    },
  }
}

function readBody(request: IncomingMessage, account: Account, { chunks, withinMs }: PostLimits): Promise<Posted> {
  return new Promise((resolve) => {
    let body = Buffer.alloc(0)
    let [length, pieces] = [0, 0]
    const end = (posted: Posted) => {
      clearTimeout(timer)
      request.off('data', take).off('end', done).off('close', gone)
      request.pause()
      resolve(posted)
    }
    /** Doubles what is held, so that a body is copied a few times at most, however it is cut. */
    const grown = (needed: number): boolean => {
      if (needed <= body.length) return true
      const size = Math.min(FRAME_MOST_BYTES, Math.max(needed, POST_FIRST_BYTES, body.length * 2))
      if (!account.add(size - body.length)) return false
      const larger = Buffer.allocUnsafeSlow(size)
      body.copy(larger, 0, 0, length)
      body = larger
      return true
    }
    const take = (chunk: Buffer) => {
      if (++pieces > chunks || length + chunk.length > FRAME_MOST_BYTES) return end({ status: 413 })
      if (!grown(length + chunk.length)) return end({ status: 429 })
      length += chunk.copy(body, length)
    }
    const done = () => end({ text: body.toString('utf8', 0, length) })
    const gone = () => end('gone')
    const timer = setTimeout(() => end({ status: 408 }), withinMs)
    if (request.destroyed) return end('gone')
    request.on('error', () => {})
    request.on('data', take).once('end', done).once('close', gone)
  })
}
