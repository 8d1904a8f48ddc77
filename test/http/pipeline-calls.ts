// Calls a server under test: by fetch with a token, or byte by byte through a socket.

import { connect } from 'node:net'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; empty if it is none. */
  readonly json: Record<string, unknown>
}

export interface Sent {
  readonly method?: string
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; text and bytes as they are. */
  readonly body?: unknown
}

export async function call(
  url: string,
  { method = 'GET', token = null, headers = {}, body }: Sent = {},
): Promise<Answer> {
  const asIs = typeof body === 'string' || body instanceof Uint8Array
  const answer = await fetch(url, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: asIs ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, json: parsed(text) }
}

/** Sends the bytes unchanged and reads until the server ends the connection. */
export function callRaw(port: number, bytes: string | Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks).toString())))
  })
}

function parseAnswer(bytes: string): Answer {
  const [head = '', text = ''] = bytes.split(/\r\n\r\n(.*)/s)
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers()
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim())
  return { status: Number(first.split(' ')[1]), headers, text, json: parsed(text) }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
