// Reads the POST bodies of polling clients instead of Engine.IO, which concatenates strings chunk by chunk: a body of
// one-byte chunks costs it a thousand times its bytes. Limits the chunks, bytes and time of a body, and the bodies that
// one network sends at once.

import type { IncomingMessage } from 'node:http'
import { FRAME_MAX_BYTES, POST_CHUNKS_MAX, POST_FIRST_BYTES, POST_WITHIN_MS, POSTS_PER_NETWORK } from './limits.ts'
import type { Account, UnreadBytes } from './unread-bytes.ts'

/** The body, or the status to answer; `gone` if the client ended the request. */
export type PostBody = { readonly text: string } | { readonly status: 408 | 413 | 429 } | 'gone'

export interface PostBodyReader {
  /** Never rejects. The rest of a refused body is not read. */
  read(request: IncomingMessage, network: string): Promise<PostBody>
}

export interface PostBodyLimits {
  readonly perNetwork: number
  readonly chunks: number
  readonly withinMs: number
}

const LIMITS: PostBodyLimits = { perNetwork: POSTS_PER_NETWORK, chunks: POST_CHUNKS_MAX, withinMs: POST_WITHIN_MS }

export function createPostBodyReader(unread: UnreadBytes, limits: PostBodyLimits = LIMITS): PostBodyReader {
  const underWay = new Map<string, number>()
  return {
    async read(request, network) {
      const count = underWay.get(network) ?? 0
      if (count >= limits.perNetwork) return { status: 429 }
      underWay.set(network, count + 1)
      const account = unread.account(network)
      const posted = await readBody(request, account, limits)
      account.close()
      const left = (underWay.get(network) ?? 1) - 1
      if (left > 0) underWay.set(network, left)
      else underWay.delete(network)
      return posted
    },
  }
}

function readBody(request: IncomingMessage, account: Account, { chunks, withinMs }: PostBodyLimits): Promise<PostBody> {
  return new Promise((resolve) => {
    let body = Buffer.alloc(0)
    let [length, chunkCount] = [0, 0]
    const end = (posted: PostBody) => {
      clearTimeout(timer)
      request.off('data', take).off('end', done).off('close', gone)
      request.pause()
      resolve(posted)
    }
    /** Doubles the buffer when it is full, so a body is copied a few times at most, whatever its chunks are. */
    const grown = (needed: number): boolean => {
      if (needed <= body.length) return true
      const size = Math.min(FRAME_MAX_BYTES, Math.max(needed, POST_FIRST_BYTES, body.length * 2))
      if (!account.add(size - body.length)) return false
      const larger = Buffer.allocUnsafeSlow(size)
      body.copy(larger, 0, 0, length)
      body = larger
      return true
    }
    const take = (chunk: Buffer) => {
      if (++chunkCount > chunks || length + chunk.length > FRAME_MAX_BYTES) return end({ status: 413 })
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
