// An HTTP proxy before a server of any address. The next requests of one call meet the given faults; all others pass.

import {
  createServer,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Fault } from './cases.ts'

export interface FaultyProxy {
  readonly url: string
  /** The faults of the next requests with this method and path. */
  next(method: string, path: string, faults: readonly Fault[]): void
  /** How many were not met. */
  left(): number
  close(): Promise<void>
}

/** Headers of one connection. */
const OWN: ReadonlySet<string> = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding', 'content-length'])

export async function openFaultyProxy(server: string): Promise<FaultyProxy> {
  const forward = forwarder(new URL(server))
  let faults: Fault[] = []
  let faulty = ''
  const proxy = createServer((received, answer) => {
    const isFaulty = faults.length > 0 && `${received.method} ${decoded(received.url ?? '')}` === faulty
    void answered(received, answer, isFaulty ? faults.shift() : undefined).catch(() => received.socket.destroy())
  })
  async function answered(received: IncomingMessage, answer: ServerResponse, fault: Fault | undefined): Promise<void> {
    if (fault === 'lost request') throw new Error('lost')
    const body = await bytesOf(received)
    if (typeof fault === 'object') {
      const { status, code, retry_after: after } = fault
      const type = { 'Content-Type': 'application/problem+json' }
      answer.writeHead(status, after === null ? type : { ...type, 'Retry-After': after })
      answer.end(JSON.stringify({ status, code, detail: 'a fault of the test' }))
      return
    }
    const response = await forward(received, body)
    const bytes = await bytesOf(response)
    if (fault === 'lost answer') throw new Error('lost')
    answer.writeHead(response.statusCode ?? 502, { ...carried(response), 'Content-Length': bytes.length }).end(bytes)
  }
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    next: (method, path, given) => {
      faults = [...given]
      faulty = `${method} ${decoded(path)}`
    },
    left: () => faults.length,
    close: async () => {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

/** Sends a request on to the server. */
function forwarder(base: URL) {
  const isHttps = base.protocol === 'https:'
  const request = isHttps ? requestHttps : requestHttp
  const agent = isHttps ? new HttpsAgent() : new HttpAgent()
  const prefix = base.pathname.replace(/\/+$/, '')
  return (received: IncomingMessage, body: Buffer): Promise<IncomingMessage> => {
    const { method, url } = received
    const target = { method, agent, host: base.hostname, port: base.port, path: prefix + url }
    const headers = { ...carried(received), ...(body.length === 0 ? {} : { 'Content-Length': body.length }) }
    return new Promise((resolve, reject) => {
      request({ ...target, headers }, resolve)
        .on('error', reject)
        .end(body)
    })
  }
}

const carried = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.has(name)))

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The path without its query, in one spelling. */
function decoded(path: string): string {
  const [bare = ''] = path.split('?')
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}
