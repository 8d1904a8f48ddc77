// What stands before Moto and checks what Moto leaves unchecked, as S3 does: signatures and what they bind, the ends of
// links, lengths and checksums; one PUT of a name at a time. It also fails on demand, as networks and stores do.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type Denied, denial, type Key } from './signature.ts'

/**
 * In place of an answer: an error's status and code; `cut` ends the connection before the store has heard of it, `cut
 * after` when it has done it, `cut within` in the midst of the answer; `silent` says nothing; `garbage` is no answer of
 * a store.
 */
export type Fault = Denied | 'cut' | 'cut after' | 'cut within' | 'stuck within' | 'silent' | 'garbage'

export interface Asked {
  readonly method: string
  readonly path: string
  /** Whether it came by a presigned link. */
  readonly byLink: boolean
}

export interface Gate {
  readonly port: number
  /** Everything that was asked, in order. */
  readonly asked: readonly Asked[]
  /** What happens in place of the answer to each request; null: nothing. */
  fault: ((asked: Asked) => Fault | null) | null
  /** Unix milliseconds, by which links end. */
  linkNow: () => number
  /** What its clock is ahead of ours. */
  aheadMs: number
  /** Whether it checks that bytes are of the checksum sent with them. */
  checksSums: boolean
  /** Whether it heeds If-None-Match. */
  heedsConditions: boolean
  close(): Promise<void>
}

/** To one that it knows, Moto says that there is nothing; to others, that it is forbidden. Links are checked before. */
export const KNOWN =
  'AWS4-HMAC-SHA256 Credential=gate/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0'

export async function startGate(storePort: number, key: Key): Promise<Gate> {
  const asked: Asked[] = []
  const turns = new Map<string, Promise<unknown>>()
  const server = createServer((request, response) => {
    request.on('error', () => {})
    response.on('error', () => {})
    void answer(request, response).catch(() => response.destroy())
  })

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request
    const byLink = url.includes('X-Amz-Signature=')
    const one: Asked = { method, path: url.split('?')[0] ?? '', byLink }
    asked.push(one)
    const fault = gate.fault?.(one) ?? null
    if (fault === 'cut') return void request.socket.destroy()
    if (fault === 'silent') return void request.resume()
    response.setHeader('Date', new Date(Date.now() + gate.aheadMs).toUTCString())
    const body = await buffer(request)
    if (fault === 'garbage') return void response.end('<html>a proxy’s page')
    if (fault !== null && typeof fault === 'object') return refuse(response, method, fault)
    const nowMs = byLink ? gate.linkNow() : Date.now() + gate.aheadMs
    const denied = denial(request, key, nowMs) ?? wrongBytes(request, body, gate.checksSums)
    if (denied !== null) return refuse(response, method, denied)
    const turn = turns.get(one.path) ?? Promise.resolve()
    const passing = method === 'PUT' ? turn.then(() => pass(request, body)) : pass(request, body)
    if (method === 'PUT')
      turns.set(
        one.path,
        passing.catch(() => {}),
      )
    const { status, headers, bytes } = await passing
    if (fault === 'cut after') return void request.socket.destroy()
    response.writeHead(status, headers)
    if (fault === null) return void response.end(method === 'HEAD' ? undefined : bytes)
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => {
      if (fault === 'cut within') request.socket.destroy()
    })
  }

  const pass = async (request: IncomingMessage, body: Buffer) => {
    const { 'if-none-match': condition, ...rest } = request.headers
    const kept = condition === undefined || !gate.heedsConditions ? {} : { 'if-none-match': condition }
    const summed = request.headers['x-amz-checksum-sha256'] !== undefined
    // Moto keeps a checksum only if its kind is named in this way too.
    const kind = summed ? { 'x-amz-sdk-checksum-algorithm': 'SHA256' } : {}
    const passed = send({
      ...{ host: '127.0.0.1', port: storePort, method: request.method ?? '', path: request.url ?? '', agent: false },
      headers: { authorization: KNOWN, ...rest, ...kept, ...kind, connection: 'close' },
    })
    passed.end(body)
    const [answered] = (await once(passed, 'response')) as [IncomingMessage]
    const { connection: _, date: __, 'transfer-encoding': ___, ...headers } = answered.headers
    return { status: answered.statusCode ?? 500, headers, bytes: await buffer(answered) }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const gate: Gate = {
    port: (server.address() as AddressInfo).port,
    asked,
    fault: null,
    linkNow: Date.now,
    aheadMs: 0,
    checksSums: true,
    heedsConditions: true,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return gate
}

function wrongBytes({ method, headers }: IncomingMessage, body: Buffer, checksSums: boolean): Denied | null {
  if (method !== 'PUT') return null
  if (headers['content-length'] === undefined) return { status: 411, code: 'MissingContentLength' }
  const wanted = headers['x-amz-checksum-sha256']
  if (wanted === undefined || !checksSums) return null
  return createHash('sha256').update(body).digest('base64') === wanted ? null : { status: 400, code: 'BadDigest' }
}

function refuse(response: ServerResponse, method: string, { status, code }: Denied): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' })
  response.end(method === 'HEAD' ? undefined : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}
