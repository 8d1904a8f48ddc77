// Sends one request over a kept-alive connection and reads the whole answer; a followed stream is cut after a time, a
// long one at a size.

import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { Payload } from './spoil.ts'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown
  /** The parsed lines of an NDJSON body. */
  readonly lines: readonly unknown[] | null
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Payload
}

export interface Connection {
  readonly agent: Agent
  readonly port: number
}

const LINES_TYPE = 'application/x-ndjson'
const FOLLOWED_MS = 100
const STREAM_BYTES_MAX = 500_000
const ANSWER_WITHIN_MS = 60_000

/** Rejects if no answer begins within a minute, or the connection breaks. */
export function sendCall({ agent, port }: Connection, { method, path, headers, payload }: Request): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }
    const options = { host: '127.0.0.1', port, method, path, agent, headers: { ...headers, ...length } }
    const outgoing = request(options, (incoming) => {
      clearTimeout(timer)
      const read = incoming.headers['content-type'] === LINES_TYPE ? readStream(incoming, path) : readAll(incoming)
      read.then((text) => resolve(replyOf(incoming, text)), reject)
    })
    const timer = setTimeout(() => outgoing.destroy(new Error('no answer within a minute')), ANSWER_WITHIN_MS)
    outgoing.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    outgoing.end(payload)
  })
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** The whole lines that came in time. */
function readStream(incoming: IncomingMessage, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let [text, isCut] = ['', false]
    const cut = () => {
      isCut = true
      incoming.destroy()
    }
    const timer = path.includes('follow=') ? setTimeout(cut, FOLLOWED_MS) : undefined
    incoming.setEncoding('utf8')
    incoming.on('data', (chunk: string) => {
      text += chunk
      if (text.length > STREAM_BYTES_MAX) cut()
    })
    incoming.on('error', (error) => isCut || reject(error))
    incoming.on('close', () => {
      clearTimeout(timer)
      resolve(isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text)
    })
  })
}

function replyOf({ statusCode: status = 0, headers }: IncomingMessage, text: string): Reply {
  const isLines = headers['content-type'] === LINES_TYPE
  const lines = isLines ? text.split('\n').slice(0, -1).map(parsed) : null
  return { status, headers, text, lines, json: isLines ? undefined : parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
