// Reads the properties of an object, and computes its sha256 from the bytes if the store has no verified one.

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3'
import { StoreUnavailable } from '../contract/faults.ts'
import type { Stored } from '../contract/files.ts'
import type { Address } from './address.ts'
import { away, type Call, unlessMissing } from './client.ts'

/** Milliseconds without a byte after which a read fails. */
const IDLE_MS = 5_000
/** A checksum of the whole object, not of several parts. */
const WHOLE = /^[A-Za-z0-9+/]{43}=$/

interface Reading {
  readonly client: S3Client
  readonly call: Call
  readonly address: Address
  /** Whether the store verifies checksums against the bytes before it stores them. */
  readonly areChecked: boolean
}

/** Properties of the blob stored under `name`, or null. */
export async function storedAt(
  { client, call, address, areChecked }: Reading,
  blob: string,
  name: string,
  needsSha256: boolean,
): Promise<Stored | null> {
  const request = { Bucket: address.bucket, Key: name }
  const head = await call((abortSignal) =>
    client.send(new HeadObjectCommand({ ...request, ChecksumMode: 'ENABLED' }), { abortSignal }).catch(unlessMissing),
  )
  if (head === null) return null
  const { ContentLength: size = 0, LastModified: stored, ChecksumSHA256: kept = '' } = head
  const known = areChecked && WHOLE.test(kept) ? Buffer.from(kept, 'base64').toString('hex') : null
  const sha256 = known === null && needsSha256 ? await hashed({ client, call, address }, name, size) : known
  return { blob, size, sha256, storedMs: stored?.getTime() ?? Date.now() }
}

async function hashed(
  { client, call, address }: Pick<Reading, 'client' | 'call' | 'address'>,
  name: string,
  size: number,
): Promise<string> {
  const { Body: body } = await call((abortSignal) =>
    client.send(new GetObjectCommand({ Bucket: address.bucket, Key: name }), { abortSignal }),
  )
  if (!(body instanceof Readable)) throw new Error('the body of an object is not a stream')
  const late = () =>
    body.destroy(new StoreUnavailable(`The S3 store at ${address.shown} stopped sending an object before its end`))
  const timer = setTimeout(late, IDLE_MS)
  const hash = createHash('sha256')
  let read = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      timer.refresh()
      hash.update(chunk)
      read += chunk.length
    }
  } catch (failure) {
    throw away(failure, address.shown)
  } finally {
    clearTimeout(timer)
  }
  if (read !== size) throw new StoreUnavailable(`The S3 store at ${address.shown} gave ${read} bytes of ${size}`)
  return hash.digest('hex')
}

/** Maximum page size of all stores. */
const PAGE = 1_000

interface Listing {
  readonly client: S3Client
  readonly call: Call
  readonly bucket: string
  /** Prefix of the listed names. */
  readonly below: string
  isOurs(name: string): boolean
}

/** At most `limit` names after `after`; fewer only at the end. */
export async function listed(
  { client, call, bucket, below, isOurs }: Listing,
  after: string | null,
  limit: number,
): Promise<Stored[]> {
  const found: Stored[] = []
  for (let last = after; found.length < limit; ) {
    const start = last === null ? {} : { StartAfter: below + last }
    const request = { Bucket: bucket, Prefix: below, MaxKeys: Math.min(PAGE, limit - found.length), ...start }
    const page = await call((abortSignal) => client.send(new ListObjectsV2Command(request), { abortSignal }))
    for (const { Key: key = '', Size: size = 0, LastModified: stored } of page.Contents ?? []) {
      last = key.slice(below.length)
      if (isOurs(last)) found.push({ blob: last, size, sha256: null, storedMs: stored?.getTime() ?? Date.now() })
    }
    // Stop at an empty page, even if it claims to be truncated; otherwise this would loop forever.
    if (page.IsTruncated !== true || (page.Contents ?? []).length === 0) break
  }
  return found
}
