// Collects a request body in one growing buffer, so that memory depends on its size and not on the number of chunks.

import type { IncomingMessage } from 'node:http'
import { connectionOf } from './http-connection.ts'
import { BODY_MAX_BYTES, BODY_MAX_CHUNKS, UNREAD_MAX_CHUNKS } from './limits.ts'
import { countParsed } from './parse-counter.ts'

/** How reading a body ends: complete, cut off by its sender, or over a limit. */
export type BodyEnd = 'whole' | 'cut' | 'bytes' | 'chunks'

/** Buffers grow by doubling, up to the largest body. */
const FIRST_BYTES = 1_024

const NONE = Buffer.alloc(0)

export class BodyBytes {
  #buffer: Buffer = NONE
  /** False while the buffer is Node's own first chunk. */
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
      // Without chunked encoding there is one event per socket read; the first chunk of a body is free.
      if (isChunked && this.#chunks > 0) countParsed(request.socket)
      if (this.#end === null) this.#add(chunk)
      // Excess bytes are drained for a while (pipeline/body.ts). Excess chunks are not: each costs too much.
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

  /** The complete body, once `end` is `whole`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size)
  }

  /** Calls `then` once, when reading ends or at once if it has ended. Keeps one listener only. */
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

const bodies = new WeakMap<IncomingMessage, BodyBytes>()

/** The body of a request. Reading starts at the first call. */
export function bodyOf(request: IncomingMessage): BodyBytes {
  const known = bodies.get(request)
  if (known !== undefined) return known
  const body = new BodyBytes(request)
  bodies.set(request, body)
  return body
}

/** Engine.IO reads these bodies itself: an earlier listener would consume their first bytes. */
const ROOMS_PATH = '/socket.io/'

/**
 * Limits the memory of a chunked body from its headers on, even if its request waits or its handler never reads it:
 * Node buffers each unread chunk in 420 bytes, and one socket read can hold 10,922 one-byte chunks.
 */
export function readChunksOnArrival(request: IncomingMessage): void {
  if (request.headers['transfer-encoding'] === undefined) return
  if (request.url?.startsWith(ROOMS_PATH) === true) boundUnread(request)
  else bodyOf(request)
}

/** Drops unread chunks above UNREAD_MAX_CHUNKS, and closes the connection after the earlier answers. */
function boundUnread(request: IncomingMessage): void {
  const push = request.push.bind(request)
  let unread = 0
  let hasFailed = false
  request.push = (chunk: Buffer | null) => {
    if (chunk !== null) countParsed(request.socket)
    if (chunk !== null && unread <= UNREAD_MAX_CHUNKS) unread = request.readableFlowing === true ? 0 : unread + 1
    if (unread <= UNREAD_MAX_CHUNKS) return push(chunk)
    // Paused by its handler, which has read enough and answers.
    if (request.readableFlowing === false) connectionOf(request.socket)?.stop()
    else if (!hasFailed) {
      hasFailed = true
      connectionOf(request.socket)?.failUnreadChunks()
    }
    return false
  }
}

/** The body of a request, if reading has begun. */
export const startedBody = (request: IncomingMessage): BodyBytes | undefined => bodies.get(request)
