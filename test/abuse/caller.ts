// Calls over HTTP from a chosen loopback address, so that attackers and the bystander have different network addresses.

import { Agent, request } from 'node:http'

export interface Sent {
  readonly token?: string | undefined
  readonly body?: unknown
  /** Sent as it is, with a JSON content type. */
  readonly raw?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly text: string
  /** Approximate size of the request. */
  readonly sentBytes: number
}

export interface Caller {
  /** Rejects if the connection fails. */
  call(method: string, path: string, sent?: Sent): Promise<Answer>
  /** The body of a 2xx; throws otherwise. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
  must(method: string, path: string, sent?: Sent): Promise<any>
  put(path: string, headers: Readonly<Record<string, string>>, bytes: Buffer): Promise<void>
  close(): void
}

const ANSWER_TIMEOUT_MS = 120_000
/** Approximate size of the headers of a call. */
const HEADER_BYTES = 250

/** `localAddress` is one of 127.0.0.0/8; opens at most `sockets` connections. */
export function callerFrom(localAddress: string, port: number, sockets: number): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })

  function send(method: string, path: string, headers: Record<string, string>, body: string | Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = {
        agent,
        host: '127.0.0.1',
        port,
        localAddress,
        method,
        path,
        headers,
        timeout: ANSWER_TIMEOUT_MS,
      }
      const outgoing = request(options, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const sentBytes = path.length + body.length + HEADER_BYTES
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString(), sentBytes })
        })
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  async function call(method: string, path: string, { token, body, raw, headers }: Sent = {}): Promise<Answer> {
    const text = raw ?? (body === undefined ? '' : JSON.stringify(body))
    const length = String(Buffer.byteLength(text))
    return send(
      method,
      path,
      {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(text === '' ? {} : { 'content-type': 'application/json', 'content-length': length }),
        ...headers,
      },
      text,
    )
  }

  return {
    call,
    must: async (method, path, sent) => {
      const { status, text } = await call(method, path, sent)
      if (status < 200 || status > 299) throw new Error(`${method} ${path}: ${status} ${text}`)
      return JSON.parse(text)
    },
    put: async (path, headers, bytes) => {
      const all = { ...headers, 'content-length': String(bytes.length) }
      const { status, text } = await send('PUT', path, all, bytes)
      if (status !== 200) throw new Error(`PUT ${path}: ${status} ${text}`)
    },
    close: () => agent.destroy(),
  }
}
