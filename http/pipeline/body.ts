// Reads the JSON body of a call: checks media type and size, collects its bytes, and drains what a refusal left unread
// before the connection closes.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Release } from '../connections/budget.ts'
import { connectionOf, countParsed } from '../connections/http-connection.ts'
import {
  BODY_MAX_BYTES,
  BODY_MAX_CHUNKS,
  CLOSING_LINGER_MS,
  DRAIN_LINGER_MS,
  DRAIN_MAX_BYTES,
  DRAIN_MAX_CHUNKS,
  UNREAD_MAX_CHUNKS,
} from '../connections/limits.ts'
import { HttpRefusal, malformed } from '../problem.ts'
import type { Route } from '../route.ts'
import { headerOf } from './headers.ts'
import { LARGE_BODY_BYTES } from './large-bodies.ts'
import { parseListJson, type Turn } from './list-json.ts'
import { parseStrictJson } from './strict-json.ts'

const JSON_TYPE = /^[ \t]*application\/json[ \t]*(?=;|$)/i
/** A parameter of a media type, from its semicolon on. A quoted value may contain another one. */
const PARAMETER = /;(?:[^;"]|"(?:[^"\\]|\\.)*")*/gy
const UTF_8 = /^utf-?8$/i

export interface BodyRoom {
  /** Takes room for a body of so many bytes, or for any body up to BODY_MAX_BYTES. Throws 429 or 503 at the limit. */
  take(bytes: number): Release
  readonly timeoutMs: number
  /**
   * Parses a body of LARGE_BODY_BYTES or more, whose turns are queued. Throws 429 or 503 if too many wait, and what
   * `parse` throws.
   */
  parseLarge(parse: (turn: Turn) => Promise<unknown>, bytes: number): Promise<unknown>
}

/**
 * The JSON value sent, or undefined without a body. Throws 415, 413, 429, 503, 408, 400. With a `list`, a body that
 * announces its length may be larger.
 */
export function readJson(request: IncomingMessage, room: BodyRoom, list?: Route['list']): Promise<unknown> | undefined {
  const { headers } = request
  const length = headers['content-length']
  const chunked = headers['transfer-encoding'] !== undefined
  if (!chunked && (length === undefined || length === '0')) return undefined
  return readSent(request, room, { length: chunked ? null : Number(length ?? 0), list })
}

/** `length`: null for a body in chunks. */
async function readSent(
  request: IncomingMessage,
  room: BodyRoom,
  { length, list }: { readonly length: number | null; readonly list: Route['list'] },
): Promise<unknown> {
  const refused = refusedType(request)
  if (refused !== null && length !== null) throw refused
  const most = length === null ? BODY_MAX_BYTES : (list?.maxBytes ?? BODY_MAX_BYTES)
  // What is announced, so that the room taken is what may come.
  const maxBytes = Math.max(BODY_MAX_BYTES, Math.min(most, length ?? 0))
  if ((length ?? 0) > most) throw tooLarge(most, list)
  const bytes = await readBytes(request, room, { refused, maxBytes, list })
  if (bytes.length === 0) return undefined
  if (refused !== null) throw refused
  const parse = (turn: Turn) =>
    list === undefined ? turn(() => parseStrictJson(bytes)) : parseListJson(bytes, list, turn)
  return bytes.length < LARGE_BODY_BYTES ? parse(AT_ONCE) : room.parseLarge(parse, bytes.length)
}

const AT_ONCE: Turn = async (work) => work()

/** The 415 of the body's type or encoding, or null. Throws 400 for two types. */
function refusedType(request: IncomingMessage): HttpRefusal | null {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return new HttpRefusal(
      415,
      'unsupported_media_type',
      'The body must not be compressed: leave out Content-Encoding.',
      {
        'Accept-Encoding': 'identity',
      },
    )
  }
  const type = headerOf(request, 'content-type')
  if (type !== null && isJsonInUtf8(type)) return null
  return new HttpRefusal(
    415,
    'unsupported_media_type',
    'The body must be JSON in UTF-8, with Content-Type: application/json.',
  )
}

/** Parameters other than `charset` have no meaning for JSON and are ignored (RFC 8259, 11). */
function isJsonInUtf8(type: string): boolean {
  if (type === 'application/json') return true
  const essence = JSON_TYPE.exec(type)?.[0]
  if (essence === undefined) return false
  let end = essence.length
  for (const [parameter] of type.slice(end).matchAll(PARAMETER)) {
    end += parameter.length
    const equals = parameter.indexOf('=')
    if (equals < 0) continue
    const isCharset = parameter.slice(1, equals).trim().toLowerCase() === 'charset'
    if (isCharset && !UTF_8.test(unquoted(parameter.slice(equals + 1).trim()))) return false
  }
  return end === type.length
}

const unquoted = (value: string): string =>
  value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value

function tooLarge(maxBytes: number, list: Route['list']): HttpRefusal {
  const todo =
    list === undefined
      ? ''
      : maxBytes < list.maxBytes
        ? ` With a Content-Length it may have ${list.maxBytes}: send one.`
        : ' Split the list.'
  return new HttpRefusal(413, 'body_too_large', `The body must be at most ${maxBytes} bytes.${todo}`)
}

/** All bytes of the body. `refused` (415) takes precedence over 413. */
async function readBytes(
  request: IncomingMessage,
  room: BodyRoom,
  {
    refused,
    maxBytes,
    list,
  }: { readonly refused: HttpRefusal | null; readonly maxBytes: number; readonly list: Route['list'] },
): Promise<Buffer> {
  const body = bodyOf(request, maxBytes)
  const end = body.end ?? (await endOf(body, room))
  if (end === 'bytes' || end === 'chunks')
    throw refused ?? (end === 'bytes' ? tooLarge(maxBytes, list) : tooManyChunks(body.maxChunks))
  if (end === 'cut') throw malformed([{ pointer: '', detail: 'was cut off' }], 'The body')
  if (end === 'late') throw tooSlow(room.timeoutMs)
  return body.bytes
}

/** How reading ends; `late` after the timeout. Rejects at the limit of bodies in transfer. */
function endOf(body: BodyBytes, room: BodyRoom): Promise<BodyEnd | 'late'> {
  return new Promise((resolve, reject) => {
    let release: Release | null = null
    let timer: NodeJS.Timeout | undefined
    const settle = (end: BodyEnd | 'late') => {
      clearImmediate(checking)
      clearTimeout(timer)
      release?.()
      resolve(end)
    }
    // A body that came together with its headers is complete by then and needs no slot.
    const checking = setImmediate(() => {
      try {
        release = room.take(body.maxBytes)
        timer = setTimeout(() => settle('late'), room.timeoutMs)
      } catch (failure) {
        reject(failure)
      }
    })
    body.onEnd(settle)
  })
}

function tooManyChunks(most: number): HttpRefusal {
  return new HttpRefusal(413, 'body_too_large', `The body must come in at most ${most.toLocaleString('en')} chunks.`)
}

function tooSlow(timeoutMs: number): HttpRefusal {
  const detail = `The body must arrive within ${timeoutMs / 1_000} seconds.`
  return new HttpRefusal(408, 'request_timeout', detail, { Connection: 'close' })
}

/**
 * Sends 100 Continue to a caller who waits for it. Call it after all checks that do not need the body.
 */
export function sendContinue({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  const { expect } = headers
  if (expect !== undefined && httpVersion === '1.1' && /^100-continue$/i.test(expect)) response.writeContinue()
}

/**
 * Drains, within limits, the unread body of a refused call, so that the caller can read the answer. Returns whether the
 * body is announced to be larger than that: the connection will be closed, and the answer must say so, or the caller's
 * next call on it fails.
 */
export function drain(request: IncomingMessage): boolean {
  const { socket } = request
  const end = () => {
    // Closing with unread bytes would reset the connection, and a proxy would answer with an error of its own.
    connectionOf(socket)?.stop()
    setTimeout(() => socket.destroy(), DRAIN_LINGER_MS).unref()
  }
  if (request.complete || request.destroyed) return false
  closeLingering(request)
  const body = startedBody(request)
  if (body?.end === 'chunks') return true
  // Of an upload, which is read elsewhere, most may have arrived.
  const isUnread = body !== undefined || !request.readableDidRead
  let size = 0
  let chunks = 0
  request.on('data', (chunk: Buffer) => {
    if (size > DRAIN_MAX_BYTES || chunks > DRAIN_MAX_CHUNKS) return
    size += chunk.length
    if (++chunks > DRAIN_MAX_CHUNKS || size > DRAIN_MAX_BYTES) end()
  })
  request.on('error', () => {})
  // Its handler may have paused it.
  request.resume()
  return isUnread && Number(request.headers['content-length'] ?? 0) > DRAIN_MAX_BYTES
}

/**
 * Closes a connection with time to read its last answer, if that answer is sent before the whole request was read (RFC
 * 9112, 9.6). Node destroys a connection at once after an answer with `Connection: close`. If a part of the body is
 * unread, that resets it, and the client fails in its next write, before it reads the answer. Call this before such an
 * answer ends: the server then ends only its sending side, and destroys the connection when the body is read, or after
 * CLOSING_LINGER_MS. The caller drains the body and limits its bytes. Replaces `socket.destroySoon`, which Node calls
 * after the last answer of a connection.
 */
function closeLingering(request: IncomingMessage): void {
  const { socket } = request
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), CLOSING_LINGER_MS).unref()
    socket.once('close', () => clearTimeout(timer))
  }
  request.once('end', () => {
    Reflect.deleteProperty(socket, 'destroySoon')
    if (socket.writableEnded) socket.destroySoon()
  })
}

/** How reading a body ends: complete, cut off by its sender, or over a limit. */
type BodyEnd = 'whole' | 'cut' | 'bytes' | 'chunks'

/** Buffers grow by doubling, up to the largest body. */
const FIRST_BYTES = 1_024

const NONE = Buffer.alloc(0)

/**
 * Collects a request body in one growing buffer, so that memory depends on its size and not on the number of chunks.
 */
class BodyBytes {
  #buffer: Buffer = NONE
  /** False while the buffer is Node's own first chunk. */
  #isCopy = false
  #size = 0
  #chunks = 0
  #end: BodyEnd | null = null
  #onEnd: ((end: BodyEnd) => void) | null = null
  readonly maxBytes: number
  /** A larger body comes in more reads of its socket. */
  readonly maxChunks: number

  constructor(request: IncomingMessage, maxBytes: number) {
    this.maxBytes = maxBytes
    this.maxChunks = BODY_MAX_CHUNKS * Math.ceil(maxBytes / BODY_MAX_BYTES)
    if (request.destroyed) {
      this.#settle('cut')
      return
    }
    const isChunked = request.headers['transfer-encoding'] !== undefined
    request.on('data', (chunk: Buffer) => {
      // Without chunked encoding there is one event per socket read; the first chunk of a body is free.
      if (isChunked && this.#chunks > 0) countParsed(request.socket)
      if (this.#end === null) this.#add(chunk)
      // Excess bytes are drained for a while (`drain`). Excess chunks are not: each costs too much.
      if (this.#end === 'chunks') connectionOf(request.socket)?.stop()
    })
    request.on('end', () => this.#settle('whole'))
    request.on('error', () => this.#settle('cut'))
    request.on('close', () => this.#settle('cut'))
  }

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
    if (size > this.maxBytes) this.#settle('bytes')
    else if (++this.#chunks > this.maxChunks) this.#settle('chunks')
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
    const grown = Buffer.allocUnsafe(Math.min(capacity, this.maxBytes))
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
function bodyOf(request: IncomingMessage, maxBytes = BODY_MAX_BYTES): BodyBytes {
  const known = bodies.get(request)
  if (known !== undefined) return known
  const body = new BodyBytes(request, maxBytes)
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

const startedBody = (request: IncomingMessage): BodyBytes | undefined => bodies.get(request)
