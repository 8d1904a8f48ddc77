// AWS Signature Version 4 as documented for S3, from the verifying side. It shares no code with the program's signing,
// so that the two can disagree.

import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

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
