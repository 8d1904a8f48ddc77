// Tests at start whether a store supports what is needed, with test objects; no list of products and versions could
// answer that.

import { createHash, randomBytes } from 'node:crypto'
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { StoresFault } from '../contract/faults.ts'
import type { Address } from './address.ts'
import { faultOf, faultText, withCallTimeout } from './client.ts'

const CLOCK_OFF_MAX_MS = 5_000
/** An older test object was left by a killed process. */
export const PROBE_KEPT_MS = 3_600_000

export const probesBelow = ({ prefix }: Address): string => `${prefix}probe/`

const PROBE_BYTES = 12
const PROBE = /^[0-9a-f]{24}$/
/** Whether the last part of an object's name is that of a test object. */
export const isProbe = (name: string): boolean => PROBE.test(name)

export interface S3Check {
  /** Whether it rejects bytes that do not match the checksum sent with them. */
  readonly areChecked: boolean
  /** Faults that development tolerates; production rejects some of them. */
  readonly faults: readonly string[]
  readonly warnings: readonly string[]
}

/** `now`: Unix milliseconds. Throws StoresFault if the store is unusable. */
export async function check(client: S3Client, address: Address, now: () => number): Promise<S3Check> {
  const clock = clockOf(client, now)
  const call = asking(address)
  const { bucket: Bucket } = address
  const below = probesBelow(address)
  // The right to list is checked, too.
  await call('list', (abortSignal) =>
    client.send(new ListObjectsV2Command({ Bucket, Prefix: below, MaxKeys: 1 }), { abortSignal }),
  )
  const Key = below + randomBytes(PROBE_BYTES).toString('hex')
  const put = (Body: Buffer, more: { IfNoneMatch?: string; ChecksumSHA256?: string } = {}) =>
    call('put', (abortSignal) => client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }), { abortSignal }))
  const remove = (name: string) =>
    call('delete', (abortSignal) => client.send(new DeleteObjectCommand({ Bucket, Key: name }), { abortSignal }))

  const first = await put(Buffer.from('1'), { IfNoneMatch: '*' })
  let isKept: boolean
  let areChecked: boolean
  try {
    isKept = await isRefused(put(Buffer.from('2'), { IfNoneMatch: '*' }))
    const others = createHash('sha256').update('others').digest('base64')
    areChecked = await isRefused(put(Buffer.from('3'), { ChecksumSHA256: others }))
  } finally {
    await remove(Key)
  }
  if (!isKept) {
    throw new StoresFault(
      `The S3 store at ${address.shown} overwrites existing objects despite If-None-Match, so ` +
        'that a file could be replaced through its upload link. Use a store, or a version of it, that supports it.',
    )
  }
  const isVersioned = first.VersionId !== undefined && first.VersionId !== 'null'
  return {
    areChecked,
    faults: clock().map((problem) => `The S3 store at ${address.shown} ${problem}`),
    warnings: isVersioned
      ? [`S3: ${address.shown} keeps old versions: what is deleted stays, unless a rule of the bucket lets them expire`]
      : [],
  }
}

type Doing = 'list' | 'put' | 'delete'

/** Other refusals are left to the caller. */
class Refused extends Error {}

function asking(address: Address) {
  return async <Answer>(doing: Doing, use: (abortSignal: AbortSignal) => Promise<Answer>): Promise<Answer> => {
    try {
      return await withCallTimeout(use)
    } catch (failure) {
      const fault = faultOf(failure)
      if (fault === null) throw failure
      const { code, status } = fault
      if (doing === 'put' && (status === 412 || (status === 400 && !/Authorization|Region/.test(code)))) {
        throw new Refused(faultText(fault))
      }
      throw reason(address, doing, code, status)
    }
  }
}

async function isRefused(trying: Promise<unknown>): Promise<boolean> {
  try {
    await trying
    return false
  } catch (failure) {
    if (failure instanceof Refused) return true
    throw failure
  }
}

function reason({ shown, bucket, region }: Address, doing: Doing, code: string, status: number | null): StoresFault {
  if (code === 'NoSuchBucket' || status === 404) {
    return new StoresFault(`The S3 store at ${shown} has no bucket ${bucket}: make it, or name another one in S3_URL`)
  }
  if (code === 'RequestTimeTooSkewed') {
    return new StoresFault(`The S3 store at ${shown} has a clock minutes off ours. Set both machines right (NTP).`)
  }
  if (status === 301 || /^(AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocationConstraint)/.test(code)) {
    return new StoresFault(
      `The S3 store at ${shown} has its bucket in another region than ${region}: give ?region= in S3_URL`,
    )
  }
  if (/^(InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken|ExpiredToken)$/.test(code) || status === 401) {
    return new StoresFault(`The S3 store at ${shown} refuses the key and secret in S3_URL (${code})`)
  }
  if (status === 403) {
    return new StoresFault(
      `The S3 store at ${shown} does not let the key of S3_URL ${doing} objects in the bucket. It needs s3:ListBucket, ` +
        's3:GetObject, s3:PutObject and s3:DeleteObject.',
    )
  }
  const problem = status === null ? code : `${code}, status ${status}`
  return new StoresFault(`The S3 store at ${shown} cannot be reached or used: ${problem}. Check S3_URL, and the store.`)
}

/** The faults of the store's clock, from its answers so far. Links expire by that clock. */
function clockOf(client: S3Client, now: () => number): () => string[] {
  let leastMs = Number.POSITIVE_INFINITY
  client.middlewareStack.add(
    (next) => async (args) => {
      const before = now()
      const answered = await next(args)
      const { headers = {} } = answered.response as { headers?: Record<string, string> }
      const theirs = Date.parse(headers.date ?? '')
      // Dates in answers are truncated to seconds.
      const [early, late] = [theirs - now(), theirs + 999 - before]
      const offMs = early > 0 ? early : Math.min(0, late)
      if (Number.isFinite(theirs) && Math.abs(offMs) < Math.abs(leastMs)) leastMs = offMs
      return answered
    },
    { step: 'deserialize', priority: 'high', name: 'scorebookClock' },
  )
  return () => {
    client.middlewareStack.remove('scorebookClock')
    if (!Number.isFinite(leastMs) || Math.abs(leastMs) <= CLOCK_OFF_MAX_MS) return []
    const way = leastMs < 0 ? 'behind' : 'ahead of'
    const seconds = (Math.abs(leastMs) / 1_000).toFixed(1)
    return [`has a clock ${seconds} s ${way} ours; ${CLOCK_OFF_MAX_MS / 1_000} s are allowed. Set both right (NTP).`]
  }
}
