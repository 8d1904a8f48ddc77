// The body of a call: what media types are taken, how much is read, and what is done with what nobody reads.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpRefusal, malformed } from '../problem.ts'
import { parseStrictJson } from './strict-json.ts'

const BODY_MAX_BYTES = 65_536
/**
 * More than this is not read away after a refusal: the connection ends instead, when there was time to read the answer.
 */
const DRAIN_MAX_BYTES = 1_048_576
const LINGER_MS = 1_000

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-?8"?[ \t]*)?;?[ \t]*$/i

/** The JSON value sent, or undefined where there is no body. Throws 415, 413, 400. */
export function readJson(request: IncomingMessage): Promise<unknown> | undefined {
  const { headers } = request
  const length = headers['content-length']
  const chunked = headers['transfer-encoding'] !== undefined
  if (!chunked && (length === undefined || length === '0')) return undefined
  return readSent(request, chunked, Number(length ?? 0))
}

async function readSent(request: IncomingMessage, chunked: boolean, length: number): Promise<unknown> {
  const refused = refusedType(request)
  if (refused !== null && !chunked) throw refused
  if (length > BODY_MAX_BYTES) throw tooLarge()
  const bytes = await readBytes(request)
  if (bytes?.length === 0) return undefined
  if (refused !== null) throw refused
  if (bytes === null) throw tooLarge()
  return parseStrictJson(bytes)
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

/** All bytes of the body, or null where there are too many. */
function readBytes(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > BODY_MAX_BYTES) return resolve(null)
      chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    request.on('error', () => reject(malformed([{ pointer: '', detail: 'was cut off' }], 'The body')))
  })
}

/**
 * Tells a caller who waits to be told (Expect: 100-continue) to send the body: all that can be refused without it was.
 */
export function sendContinue({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  const { expect } = headers
  if (expect !== undefined && httpVersion === '1.1' && /^100-continue$/i.test(expect)) response.writeContinue()
}

/** Reads away, within bounds, what a refusal left unread, so that the caller gets to read the answer. */
export function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= DRAIN_MAX_BYTES || request.isPaused()) return
    // Ended at once, with bytes unread, the connection would be reset, and a proxy would take that for the answer.
    request.pause()
    setTimeout(() => request.destroy(), LINGER_MS).unref()
  })
  request.on('error', () => {})
}
