// A backup place below a prefix of an S3 bucket. The lock is an object with the time of its last renewal; a lock that was not
// renewed for a minute belongs to a killed process.

import { randomBytes } from 'node:crypto'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import type { Address } from '../stores/s3/address.ts'
import { type Call, createClient, reportingUnavailable } from '../stores/s3/client.ts'
import { faultOf, isMissing } from '../stores/s3/faults.ts'
import { BackupFault, type BackupPlace, type PlaceLock } from './place.ts'

const LOCK = 'lock'
const RENEWED_EVERY_MS = 10_000
const STALE_AFTER_MS = 60_000
/** Number of names per page. */
const PAGE = 1_000

interface Bucket {
  readonly client: S3Client
  readonly call: Call
  readonly address: Address
  readonly staleAfterMs: number
}

/** `staleAfterMs`: after this time without a renewal a lock is free. */
export function s3Place(address: Address, staleAfterMs = STALE_AFTER_MS): BackupPlace {
  const client = createClient(address)
  const bucket: Bucket = { client, call: reportingUnavailable(address.shown), address, staleAfterMs }
  return {
    shown: `s3://${address.bucket}/${address.prefix}`,
    list: (prefix) => listed(bucket, prefix),
    read: async (name) => (await readObject(bucket, name))?.bytes ?? null,
    write: async (name, bytes) => void (await put(bucket, name, bytes)),
    remove: async (name) => {
      const Key = address.prefix + name
      await bucket.call((abortSignal) =>
        client.send(new DeleteObjectCommand({ Bucket: address.bucket, Key }), { abortSignal }).catch(unlessMissing),
      )
    },
    lock: () => takeLock(bucket),
    close: async () => client.destroy(),
  }
}

async function listed({ client, call, address }: Bucket, prefix: string): Promise<string[]> {
  const names: string[] = []
  for (let token: string | undefined; ; ) {
    const request = {
      Bucket: address.bucket,
      Prefix: address.prefix + prefix,
      MaxKeys: PAGE,
      ...(token === undefined ? {} : { ContinuationToken: token }),
    }
    const page = await call((abortSignal) => client.send(new ListObjectsV2Command(request), { abortSignal }))
    names.push(...(page.Contents ?? []).map(({ Key = '' }) => Key.slice(address.prefix.length)))
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined
    if (token === undefined) return names.sort()
  }
}

interface ReadObject {
  readonly bytes: Buffer
  readonly etag: string
  readonly modifiedMs: number
}

function readObject({ client, call, address }: Bucket, name: string): Promise<ReadObject | null> {
  return call(async (abortSignal) => {
    const request = new GetObjectCommand({ Bucket: address.bucket, Key: address.prefix + name })
    const found = await client.send(request, { abortSignal }).catch(unlessMissing)
    if (found === null) return null
    const bytes = Buffer.from((await found.Body?.transformToByteArray()) ?? [])
    return { bytes, etag: found.ETag ?? '', modifiedMs: found.LastModified?.getTime() ?? 0 }
  })
}

/** Returns the ETag. */
async function put(
  { client, call, address }: Bucket,
  name: string,
  bytes: Uint8Array,
  condition: { readonly IfNoneMatch?: string; readonly IfMatch?: string } = {},
): Promise<string> {
  const request = { Bucket: address.bucket, Key: address.prefix + name, Body: bytes, ...condition }
  const answer = await call((abortSignal) => client.send(new PutObjectCommand(request), { abortSignal }))
  return answer.ETag ?? ''
}

function unlessMissing(failure: unknown): null {
  if (isMissing(failure)) return null
  throw failure
}

/** Null if another process was first. */
async function putIf(bucket: Bucket, condition: Parameters<typeof put>[3]): Promise<string | null> {
  const { client, address } = bucket
  const Body = Buffer.from(JSON.stringify({ lock: randomBytes(8).toString('hex') }))
  const request = { Bucket: address.bucket, Key: address.prefix + LOCK, Body, ...condition }
  return bucket.call((abortSignal) =>
    client.send(new PutObjectCommand(request), { abortSignal }).then(
      ({ ETag }) => ETag ?? '',
      (failure: unknown) => {
        const status = faultOf(failure)?.status
        // 404: the lock that was to be replaced is gone. 409: two wrote at once.
        if (status === 412 || status === 409 || status === 404) return null
        throw failure
      },
    ),
  )
}

async function takeLock(bucket: Bucket): Promise<PlaceLock> {
  const first = await putIf(bucket, { IfNoneMatch: '*' })
  const etag = first ?? (await takeStaleLock(bucket))
  if (etag === null) {
    const { bucket: name, prefix } = bucket.address
    throw new BackupFault(
      `Another backup, verification or restore is using s3://${name}/${prefix}, or was killed within the last minute. ` +
        'Try again in a minute.',
    )
  }
  return keptLock(bucket, etag)
}

async function takeStaleLock(bucket: Bucket): Promise<string | null> {
  const found = await readObject(bucket, LOCK)
  if (found === null) return putIf(bucket, { IfNoneMatch: '*' })
  if (found.modifiedMs > Date.now() - bucket.staleAfterMs) return null
  return putIf(bucket, { IfMatch: found.etag })
}

/** Renews the lock until it is released. */
function keptLock(bucket: Bucket, taken: string): PlaceLock {
  let etag = taken
  let renewedMs = Date.now()
  let isLost = false
  let renewing: Promise<void> = Promise.resolve()
  const renew = async () => {
    const next = await putIf(bucket, { IfMatch: etag })
    if (next === null) isLost = true
    else {
      etag = next
      renewedMs = Date.now()
    }
  }
  const timer = setInterval(() => {
    // A failed renewal is tried again; `check` refuses a lock that is too old.
    renewing = renewing.then(renew).catch(() => {})
  }, RENEWED_EVERY_MS)
  timer.unref()
  return {
    check() {
      if (!isLost && Date.now() - renewedMs < bucket.staleAfterMs) return
      throw new BackupFault('The lock of the backup place was lost: this process was suspended, or S3 did not answer.')
    },
    async release() {
      clearInterval(timer)
      // A process that was suspended does not know yet whether its lock was taken over: it must not remove another one's.
      await renewing.then(renew)
      if (isLost) return
      const { client, address, call } = bucket
      const Key = address.prefix + LOCK
      await call((abortSignal) =>
        client.send(new DeleteObjectCommand({ Bucket: address.bucket, Key }), { abortSignal }).catch(unlessMissing),
      )
    },
  }
}
