// A backup destination below a prefix of an S3 bucket.

import { randomBytes } from 'node:crypto'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import type { Address } from '../../stores/s3/address.ts'
import { type Call, createClient, faultOf, reportingUnavailable, unlessMissing } from '../../stores/s3/client.ts'
import { type BackupDestination, BackupFault } from './destination.ts'
import { FOLDERS, isObjectName, MAX_OBJECT_BYTES } from './objects.ts'
import { conditionsUnsupported, type LockObject, type LockOptions, takeS3Lock } from './s3-lock.ts'

const LOCK = 'lock'
const PAGE = 1_000

interface Bucket {
  readonly client: S3Client
  readonly call: Call
  readonly address: Address
}

export function s3Destination(address: Address, options: LockOptions = {}): BackupDestination {
  const client = createClient(address)
  const bucket: Bucket = { client, call: reportingUnavailable(address.shown), address }
  const shown = `s3://${address.bucket}/${address.prefix}`
  return {
    shown,
    async list(prefix) {
      const names: string[] = []
      for await (const page of pagesBelow(bucket, prefix)) names.push(...page.filter(isObjectName))
      return names.sort()
    },
    async foreignName() {
      for (const own of FOLDERS) {
        for await (const page of pagesBelow(bucket, own)) {
          // Consoles of S3 stores show a folder where an empty object has a name that ends in a slash.
          const name = page.find((one) => !isObjectName(one) && !one.endsWith('/'))
          if (name !== undefined) return name
        }
      }
      return null
    },
    read: async (name) => (await readObject(bucket, name))?.bytes ?? null,
    write: (name, bytes) => put(bucket, name, bytes),
    remove: (name) => remove(bucket, name),
    lock: () => takeS3Lock(lockObject(bucket, shown), options),
    close: async () => client.destroy(),
  }
}

/** All names below a prefix, whatever wrote them. */
async function* pagesBelow({ client, call, address }: Bucket, prefix: string): AsyncGenerator<string[]> {
  for (let token: string | undefined; ; ) {
    const request = {
      Bucket: address.bucket,
      Prefix: address.prefix + prefix,
      MaxKeys: PAGE,
      ...(token === undefined ? {} : { ContinuationToken: token }),
    }
    const page = await call((abortSignal) => client.send(new ListObjectsV2Command(request), { abortSignal }))
    yield (page.Contents ?? []).map(({ Key = '' }) => Key.slice(address.prefix.length))
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined
    if (token === undefined) return
  }
}

function readObject({ client, call, address }: Bucket, name: string) {
  return call(async (abortSignal) => {
    const request = new GetObjectCommand({ Bucket: address.bucket, Key: address.prefix + name })
    const found = await client.send(request, { abortSignal }).catch(unlessMissing)
    if (found === null) return null
    if ((found.ContentLength ?? 0) > MAX_OBJECT_BYTES) {
      await found.Body?.transformToWebStream().cancel()
      throw new BackupFault(`${name} has ${found.ContentLength} bytes: a backup did not write it.`)
    }
    const bytes = Buffer.from((await found.Body?.transformToByteArray()) ?? [])
    return { bytes, etag: found.ETag ?? '' }
  })
}

async function put({ client, call, address }: Bucket, name: string, Body: Uint8Array): Promise<void> {
  const request = { Bucket: address.bucket, Key: address.prefix + name, Body }
  await call((abortSignal) => client.send(new PutObjectCommand(request), { abortSignal }))
}

async function remove({ client, call, address }: Bucket, name: string): Promise<void> {
  const request = { Bucket: address.bucket, Key: address.prefix + name }
  await call((abortSignal) => client.send(new DeleteObjectCommand(request), { abortSignal }).catch(unlessMissing))
}

function lockObject(bucket: Bucket, destination: string): LockObject {
  const { client, call, address } = bucket
  const Key = address.prefix + LOCK
  return {
    shown: destination,
    putIf(condition, holder) {
      // The random part makes the ETag another one with each write.
      const Body = Buffer.from(JSON.stringify({ holder, renewal: randomBytes(8).toString('hex') }))
      const request = { Bucket: address.bucket, Key, Body, ...condition }
      return call((abortSignal) =>
        client.send(new PutObjectCommand(request), { abortSignal }).then(
          () => true,
          (failure: unknown) => {
            const status = faultOf(failure)?.status
            // 404: the lock that was to be replaced is gone, else there is no such bucket. 409: two wrote at once.
            if (status === 412 || status === 409 || (status === 404 && 'IfMatch' in condition)) return false
            throw status === 501 ? conditionsUnsupported(destination) : failure
          },
        ),
      )
    },
    async read() {
      const found = await readObject(bucket, LOCK)
      return found === null ? null : { etag: found.etag, holder: holderIn(found.bytes) }
    },
    remove: () => remove(bucket, LOCK),
  }
}

/** Empty for an empty object, as a copy of a folder with backups has one; null for an object that is no lock. */
function holderIn(bytes: Buffer): string | null {
  if (bytes.length === 0) return ''
  try {
    const { holder }: { readonly holder?: unknown } = JSON.parse(bytes.toString()) ?? {}
    return typeof holder === 'string' ? holder : null
  } catch {
    return null
  }
}
