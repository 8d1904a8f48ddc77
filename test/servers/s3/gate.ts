// A proxy in front of Moto that checks what Moto does not, as S3 does: signatures and what they cover, expiry of links,
// lengths and checksums, and one PUT per name at a time. It also fails on demand.

import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * A fault instead of an answer: the status and code of an error; `cut` ends the connection before the store receives
 * the request, `cut after` after it has handled it, `cut within` in the middle of the answer; `silent` sends nothing;
 * `garbage` sends something else than S3 would.
 */
export type Fault = Denied | 'cut' | 'cut after' | 'cut within' | 'stuck within' | 'silent' | 'garbage'

export interface Asked {
  readonly method: string
  readonly path: string
  /** True if it used a presigned link. */
  readonly byLink: boolean
}

export interface Gate {
  readonly port: number
  /** All requests, in order. */
  readonly asked: readonly Asked[]
  /** The fault for each request; null: none. */
  fault: ((asked: Asked) => Fault | null) | null
  /** Unix milliseconds, for the expiry of links. */
  linkNow: () => number
  /** Milliseconds by which its clock is ahead of ours. */
  aheadMs: number
  /** True if it verifies the checksum that is sent with the bytes. */
  checksSums: boolean
  /** True if it supports If-None-Match, and If-Match. */
  heedsConditions: boolean
  /** True if it supports If-Match. */
  heedsMatches: boolean
  close(): Promise<void>
}

/** For a known key Moto answers that an object is missing; for others, that access is forbidden. */
export const KNOWN =
  'AWS4-HMAC-SHA256 Credential=gate/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0'

export async function startGate(storePort: number, key: Key): Promise<Gate> {
  const asked: Asked[] = []
  const lastPuts = new Map<string, Promise<unknown>>()
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
    const previous = lastPuts.get(one.path) ?? Promise.resolve()
    const passing = method === 'PUT' ? previous.then(() => pass(request, body)) : pass(request, body)
    if (method === 'PUT')
      lastPuts.set(
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
    const { 'if-none-match': noneMatch, 'if-match': match, ...rest } = request.headers
    const kept = {
      ...(noneMatch !== undefined && gate.heedsConditions && { 'if-none-match': noneMatch }),
      ...(match !== undefined && gate.heedsConditions && gate.heedsMatches && { 'if-match': match }),
    }
    const summed = request.headers['x-amz-checksum-sha256'] !== undefined
    // Moto stores a checksum only if its kind is also named in this header.
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
    heedsMatches: true,
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

export interface Key {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** An error answer of S3. */
export interface Denied {
  readonly status: number
  readonly code: string
}

const SKEW_MAX_MS = 15 * 60_000
const hashed = (text: string) => createHash('sha256').update(text).digest('hex')
const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

/** Null if the signature of a request is valid. `nowMs`: Unix milliseconds. */
export function denial(request: IncomingMessage, key: Key, nowMs: number): Denied | null {
  const { searchParams: query } = new URL(request.url ?? '', 'http://x')
  return query.has('X-Amz-Signature') ? deniedLink(request, query, key, nowMs) : deniedCall(request, key, nowMs)
}

function deniedLink(request: IncomingMessage, query: URLSearchParams, key: Key, nowMs: number): Denied | null {
  const date = query.get('X-Amz-Date') ?? ''
  const beganMs = unixMs(date)
  const lastsMs = Number(query.get('X-Amz-Expires')) * 1_000
  if (!(lastsMs > 0 && lastsMs <= 604_800_000)) return { status: 400, code: 'AuthorizationQueryParametersError' }
  const claimed = {
    credential: query.get('X-Amz-Credential') ?? '',
    names: query.get('X-Amz-SignedHeaders') ?? '',
    signature: query.get('X-Amz-Signature') ?? '',
    payload: query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
    date,
  }
  const denied = deniedSignature(request, claimed, key)
  if (denied !== null) return denied
  if (beganMs > nowMs + SKEW_MAX_MS || nowMs >= beganMs + lastsMs) return { status: 403, code: 'AccessDenied' }
  return null
}

function deniedCall(request: IncomingMessage, key: Key, nowMs: number): Denied | null {
  const form = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
  const [, credential, names, signature] = form.exec(request.headers.authorization ?? '') ?? []
  if (credential === undefined || names === undefined || signature === undefined) {
    return { status: 403, code: 'AccessDenied' }
  }
  const date = String(request.headers['x-amz-date'])
  const payload = String(request.headers['x-amz-content-sha256'])
  const denied = deniedSignature(request, { credential, names, signature, payload, date }, key)
  if (denied !== null) return denied
  return Math.abs(unixMs(date) - nowMs) > SKEW_MAX_MS ? { status: 403, code: 'RequestTimeTooSkewed' } : null
}

interface Claimed {
  readonly credential: string
  readonly names: string
  readonly signature: string
  readonly payload: string
  readonly date: string
}

function deniedSignature(request: IncomingMessage, claimed: Claimed, key: Key): Denied | null {
  const [accessKeyId, ...scope] = claimed.credential.split('/')
  if (accessKeyId !== key.accessKeyId) return { status: 403, code: 'InvalidAccessKeyId' }
  const names = claimed.names.split(';')
  const unsigned = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-') && !names.includes(name))
  if (unsigned.length > 0 || !names.includes('host')) return { status: 403, code: 'AccessDenied' }
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const pairs = [...new URLSearchParams(query)]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
  const headers = names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const asked = [request.method, path, pairs.join('&'), headers.join(''), claimed.names, claimed.payload].join('\n')
  const text = ['AWS4-HMAC-SHA256', claimed.date, scope.join('/'), hashed(asked)].join('\n')
  const signing = scope.reduce<string | Buffer>((one, part) => mac(one, part), `AWS4${key.secretAccessKey}`)
  const isRight = mac(signing, text).toString('hex') === claimed.signature && scope[0] === claimed.date.slice(0, 8)
  return isRight ? null : { status: 403, code: 'SignatureDoesNotMatch' }
}

/** `20261231T235959Z` */
function unixMs(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}
