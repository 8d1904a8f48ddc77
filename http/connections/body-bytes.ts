// The bytes of one body, copied into one buffer as they arrive: a body costs its size, whatever chunks it comes in.

import type { IncomingMessage } from 'node:http'
import { connectionOf } from './http-connection.ts'
import { BODY_MAX_BYTES, BODY_MAX_CHUNKS, UNREAD_MAX_CHUNKS } from './limits.ts'
import { countParsed } from './parse-counter.ts'

/** What ends the reading of a body: it is whole, cut off by its sender, or over a limit. */
export type BodyEnd = 'whole' | 'cut' | 'bytes' | 'chunks'

/** Buffers grow by doubling, up to the largest body. */
const FIRST_BYTES = 1_024

const NONE = Buffer.alloc(0)

export class BodyBytes {
  #buffer: Buffer = NONE
  /** False while the buffer is the only chunk so far, as Node made it. */
  #isCopy = false
  #size = 0
  #chunks = 0
  #end: BodyEnd | null = null
  #onEnd: ((end: BodyEnd) => void) | null = null

  constructor(request: IncomingMessage) {
    if (request.destroyed) {
      this.#settle('cut')
      return
    }
    const isChunked = request.headers['transfer-encoding'] !== undefined
    request.on('data', (chunk: Buffer) => {
      // A body of a known length comes once per read of the socket, and the only chunk of a short one is no more than that.
      if (isChunked && this.#chunks > 0) countParsed(request.socket)
      if (this.#end === null) this.#add(chunk)
      // Bytes over a limit are read away for a while (pipeline/body.ts), chunks are not: each costs too much.
      if (this.#end === 'chunks') connectionOf(request.socket)?.stop()
    })
    request.on('end', () => this.#settle('whole'))
    request.on('error', () => this.#settle('cut'))
    request.on('close', () => this.#settle('cut'))
  }

  /** Null while the body is arriving. */
  get end(): BodyEnd | null {
    return this.#end
  }

  /** All of a body that is whole. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size)
  }

  /** Calls `then` once, when the reading ends or at once where it has ended. Only one listener is kept. */
  onEnd(then: (end: BodyEnd) => void): void {
    if (this.#end === null) this.#onEnd = then
    else then(this.#end)
  }

  #add(chunk: Buffer): void {
    const size = this.#size + chunk.length
    if (size > BODY_MAX_BYTES) this.#settle('bytes')
    else if (++this.#chunks > BODY_MAX_CHUNKS) this.#settle('chunks')
    else if (this.#size === 0) this.#buffer = chunk
    else {
      if (!this.#isCopy || size > this.#buffer.length) this.#grow(size)
      chunk.copy(this.#buffer, this.#size)
    }
    if (this.#end === null) this.#size = size
  }

  #grow(size: number): void {
    let capacity = Math.max(FIRST_BYTES, this.#buffer.length * 2)
    while (capacity < size) capacity *= 2
    const grown = Buffer.allocUnsafe(Math.min(capacity, BODY_MAX_BYTES))
    this.#buffer.copy(grown, 0, 0, this.#size)
    this.#buffer = grown
    this.#isCopy = true
  }

  #settle(end: BodyEnd): void {
    if (this.#end !== null) return
    this.#end = end
    if (end !== 'whole') this.#buffer = NONE
    this.#onEnd?.(end)
    this.#onEnd = null
  }
}

const begun = new WeakMap<IncomingMessage, BodyBytes>()

/** The body of a request; its bytes are read from the first call on. */
export function bodyOf(request: IncomingMessage): BodyBytes {
  const known = begun.get(request)
  if (known !== undefined) return known
  const body = new BodyBytes(request)
  begun.set(request, body)
  return body
}

/** Engine.IO reads the bodies of these requests itself: a listener that is added earlier takes their first bytes away. */
const ROOMS_PATH = '/socket.io/'

/**
 * Bounds what is kept of a body in chunks from its headers on, though its request may have to wait and its handler may never
 * read it: Node keeps each chunk that nobody reads, up to 10,922 of one byte from one read of a socket, in 420 bytes each.
 */
export function readChunksOnArrival(request: IncomingMessage): void {
  if (request.headers['transfer-encoding'] === undefined) return
  if (request.url?.startsWith(ROOMS_PATH) === true) boundUnread(request)
  else bodyOf(request)
}

/** Drops the chunks of a body over UNREAD_MAX_CHUNKS that nobody reads, and ends its connection after the earlier answers. */
function boundUnread(request: IncomingMessage): void {
  const push = request.push.bind(request)
  let unread = 0
  let hasFailed = false
  request.push = (chunk: Buffer | null) => {
    if (chunk !== null) countParsed(request.socket)
    if (chunk !== null && unread <= UNREAD_MAX_CHUNKS) unread = request.readableFlowing === true ? 0 : unread + 1
    if (unread <= UNREAD_MAX_CHUNKS) return push(chunk)
    // Paused: its handler has read enough, and answers.
    if (request.readableFlowing === false) connectionOf(request.socket)?.stop()
    else if (!hasFailed) {
      hasFailed = true
      connectionOf(request.socket)?.failUnreadChunks()
    }
    return false
  }
}

/** The body of a request, if its reading has begun. */
export const bodyBegun = (request: IncomingMessage): BodyBytes | undefined => begun.get(request)
