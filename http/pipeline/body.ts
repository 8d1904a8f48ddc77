// Reads the JSON body of a call: checks media type and size, and drains what a refusal left unread.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type BodyBytes, type BodyEnd, bodyOf, startedBody } from '../connections/body-bytes.ts'
import type { Release } from '../connections/budget.ts'
import { connectionOf } from '../connections/http-connection.ts'
import {
  BODY_MAX_BYTES,
  BODY_MAX_CHUNKS,
  DRAIN_LINGER_MS,
  DRAIN_MAX_BYTES,
  DRAIN_MAX_CHUNKS,
} from '../connections/limits.ts'
import { closeLingering } from '../connections/lingering-close.ts'
import { HttpRefusal, malformed } from '../problem.ts'
import { LARGE_BODY_BYTES } from './large-bodies.ts'
import { parseStrictJson } from './strict-json.ts'

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*)?;?[ \t]*$/i

/** Limits for a body that is still arriving. */
export interface BodyRoom {
  /** Throws 429 or 503 at the limit. */
  take(): Release
  readonly timeoutMs: number
  /**
   * Queues the parsing of a body of LARGE_BODY_BYTES or more. Throws 429 or 503 if too many wait, and what `parse`
   * throws.
   */
  parseLarge(parse: () => unknown): Promise<unknown>
}

/** The JSON value sent, or undefined without a body. Throws 415, 413, 429, 503, 408, 400. */
export function readJson(request: IncomingMessage, room: BodyRoom): Promise<unknown> | undefined {
  const { headers } = request
  const length = headers['content-length']
  const chunked = headers['transfer-encoding'] !== undefined
  if (!chunked && (length === undefined || length === '0')) return undefined
  return readSent(request, room, chunked ? null : Number(length ?? 0))
}

/** `length`: null for a body in chunks. */
async function readSent(request: IncomingMessage, room: BodyRoom, length: number | null): Promise<unknown> {
  const refused = refusedType(request)
  if (refused !== null && length !== null) throw refused
  if ((length ?? 0) > BODY_MAX_BYTES) throw tooLarge()
  const bytes = await readBytes(request, room, refused)
  if (bytes.length === 0) return undefined
  if (refused !== null) throw refused
  return bytes.length < LARGE_BODY_BYTES ? parseStrictJson(bytes) : room.parseLarge(() => parseStrictJson(bytes))
}

function refusedType({ headers }: IncomingMessage): HttpRefusal | null {
  const encoding = headers['content-encoding']
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
  const type = headers['content-type']
  if (type === 'application/json' || (type !== undefined && JSON_TYPE.test(type))) return null
  return new HttpRefusal(
    415,
    'unsupported_media_type',
    'The body must be JSON in UTF-8, with Content-Type: application/json.',
  )
}

function tooLarge(): HttpRefusal {
  return new HttpRefusal(413, 'body_too_large', `The body must be at most ${BODY_MAX_BYTES} bytes.`)
}

/** All bytes of the body. `refused` (415) takes precedence over 413. */
async function readBytes(request: IncomingMessage, room: BodyRoom, refused: HttpRefusal | null): Promise<Buffer> {
  const body = bodyOf(request)
  const end = body.end ?? (await endOf(body, room))
  if (end === 'bytes' || end === 'chunks') throw refused ?? (end === 'bytes' ? tooLarge() : tooManyChunks())
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
        release = room.take()
        timer = setTimeout(() => settle('late'), room.timeoutMs)
      } catch (failure) {
        reject(failure)
      }
    })
    body.onEnd(settle)
  })
}

function tooManyChunks(): HttpRefusal {
  return new HttpRefusal(
    413,
    'body_too_large',
    `The body must come in at most ${BODY_MAX_CHUNKS.toLocaleString('en')} chunks.`,
  )
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

/** Drains, within limits, the unread body of a refused call, so that the caller can read the answer. */
export function drain(request: IncomingMessage): void {
  const { socket } = request
  const end = () => {
    // Closing with unread bytes would reset the connection, and a proxy would answer with an error of its own.
    connectionOf(socket)?.stop()
    setTimeout(() => socket.destroy(), DRAIN_LINGER_MS).unref()
  }
  if (request.complete || request.destroyed) return
  closeLingering(request)
  if (startedBody(request)?.end === 'chunks') return
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
}
