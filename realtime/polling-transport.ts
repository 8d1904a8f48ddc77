// Limits and backpressure for polling clients. One POST may bring many packets; they are queued like WebSocket frames.
// While the client is paused, its next POST is not read.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Backpressure } from './backpressure.ts'
import type { EngineSocket } from './engine-internals.ts'
import { Intake, type WaitingFrames } from './intake.ts'
import {
  FRAME_MAX_BYTES,
  PACKETS_PER_POST_MAX,
  POST_CHUNKS_MAX,
  POST_FIRST_BYTES,
  POST_WITHIN_MS,
  POSTS_PER_NETWORK,
} from './limits.ts'
import type { DropReason } from './metrics.ts'
import type { Account, UnreadBytes } from './unread-bytes.ts'

interface Polling {
  /** The request whose body is being read. Engine.IO destroys it with the connection. */
  dataReq: IncomingMessage | null | undefined
  onData(data: string): void
  onPacket(packet: unknown): void
  onError(reason: string): void
  onDataRequest(request: IncomingMessage, response: ServerResponse): void
  headers(request: IncomingMessage, headers: Record<string, string>): Record<string, string>
}
interface Receiving {
  onPacket(packet: unknown): void
}

const SEPARATOR = '\x1e'

const has = (one: object, ...methods: readonly string[]): boolean =>
  methods.every((name) => typeof Reflect.get(one, name) === 'function')

const isPolling = (transport: object): transport is Polling =>
  has(transport, 'onData', 'onPacket', 'onError', 'onDataRequest', 'headers')

const isReceiving = (conn: object): conn is Receiving => has(conn, 'onPacket')

/** The polling transport; null if the client does not poll or the expected members are missing. */
function pollingOf({ transport }: EngineSocket): Polling | null {
  const one: object = transport
  return transport.name === 'polling' && isPolling(one) ? one : null
}

export interface LimitPostsDeps {
  readonly bodyReader: PostBodyReader
  readonly network: string
  dropped(reason: DropReason): void
}

/** Reads this connection's POST bodies with limits, and closes it if a body exceeds one of them. */
export function limitPosts(conn: EngineSocket, { bodyReader, network, dropped }: LimitPostsDeps): void {
  const polling = pollingOf(conn)
  if (polling === null) return
  polling.onDataRequest = (request, response) => {
    if (polling.dataReq) {
      polling.onError('data request overlap from client')
      refuse(response, 400)
      return
    }
    polling.dataReq = request
    void bodyReader.read(request, network).then((body) => {
      const posted = bounded(body)
      polling.dataReq = null
      if (posted === 'gone') polling.onError('data request connection closed prematurely')
      else if ('status' in posted) {
        dropped('post')
        polling.onError('data request out of bounds')
        refuse(response, posted.status)
      } else {
        polling.onData(posted.text)
        response.writeHead(200, polling.headers(request, { 'Content-Type': 'text/html', 'Content-Length': '2' }))
        response.end('ok')
      }
    })
  }
}

/** Answers and closes the TCP connection, so that the rest of the body is not read. */
const refuse = (response: ServerResponse, status: number) =>
  void response.writeHead(status, { Connection: 'close' }).end()

/** 413 for a body with more than PACKETS_PER_POST_MAX packets. */
const bounded = (posted: PostBody): PostBody =>
  posted !== 'gone' && 'text' in posted && isTooMany(posted.text) ? { status: 413 } : posted

function isTooMany(data: string): boolean {
  let packets = 1
  for (let at = data.indexOf(SEPARATOR); at >= 0; at = data.indexOf(SEPARATOR, at + 1)) {
    if (++packets > PACKETS_PER_POST_MAX) return true
  }
  return false
}

/** An estimate: 2 bytes for each unit of the packet's text. */
function packetBytes(packet: unknown): number {
  const data: unknown = typeof packet === 'object' && packet !== null && 'data' in packet ? packet.data : null
  return typeof data === 'string' || Buffer.isBuffer(data) ? data.length * 2 : 0
}

/** Queues posted packets like WebSocket frames, also those left over after an upgrade to a WebSocket. */
export function readPolledPackets(conn: EngineSocket, backpressure: Backpressure, waiting: WaitingFrames): void {
  const polling = pollingOf(conn)
  const receiving: object = conn
  if (polling === null || !isReceiving(receiving)) return
  const read = (packet: unknown) => receiving.onPacket(packet)
  const intake = new Intake<[packet: unknown]>({ backpressure, behind: 'polled', read, weigh: packetBytes, waiting })
  polling.onPacket = (packet) => intake.arrived(packet)

  const take = polling.onDataRequest
  let deferred: { readonly request: IncomingMessage; readonly response: ServerResponse } | null = null
  polling.onDataRequest = (request, response) => {
    // Engine.IO refuses a second POST at the same time.
    if (deferred !== null || !backpressure.isPaused) Reflect.apply(take, polling, [request, response])
    else deferred = { request, response }
  }
  backpressure.onReleased(() => {
    if (deferred === null || backpressure.isPaused) return
    const { request, response } = deferred
    deferred = null
    if (request.destroyed) polling.onError('the request ended too soon')
    else Reflect.apply(take, polling, [request, response])
  })
  conn.once('close', () => deferred?.request.destroy())
}

// The POST bodies of polling clients are read here instead of Engine.IO, which concatenates strings chunk by chunk: a
// body of one-byte chunks costs it a thousand times its bytes. Limits the chunks, bytes and time of a body, and the
// bodies that one network sends at once.

/** The body, or the status to answer; `gone` if the client ended the request. */
type PostBody = { readonly text: string } | { readonly status: 408 | 413 | 429 } | 'gone'

interface PostBodyReader {
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
