// The file store in a bucket of an S3-compatible service. Bytes move by presigned links, not through this server: the
// service checks what a link binds, and the result is checked again when an upload is completed.

import { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { SingleFlight } from '../../runtime/single-flight.ts'
import { StoresFault } from '../contract/faults.ts'
import { OWNER_MARKER_MAX_BYTES, type OwnableFiles, type OwnerMarker, type Stored } from '../contract/files.ts'
import { type Address, addressOf } from './address.ts'
import { check, isProbe, PROBE_KEPT_MS, probesBelow, type S3Check } from './check.ts'
import { type Call, createClient, faultOf, reportingUnavailable, unlessMissing } from './client.ts'
import { createLinks } from './links.ts'
import { listed, storedAt } from './read.ts'

/** The format of our blob names. */
const BLOB = /^[a-z2-7]{8,64}$/
/** Maximum size of one PUT. */
const LARGEST_BYTES = 5 * 1_024 ** 3
/** Objects deleted at the same time. */
const REMOVED_TOGETHER = 16
/** Test objects looked at in one sweep. */
const PROBES_SWEPT = 1_000

interface S3Options {
  /** S3_URL. */
  readonly url: string
  /** Treats warnings as errors. */
  readonly production: boolean
  readonly warn: (message: string) => void
  /** Unix milliseconds of the real clock. */
  readonly now: () => number
}

/** Throws StoresFault, with instructions, if the store is unusable. */
export async function openS3Files(options: S3Options): Promise<OwnableFiles> {
  const { address, client, checked } = await opened(options)
  const { bucket } = address
  const below = `${address.prefix}blob/`
  const call = reportingUnavailable(address.shown)
  const links = createLinks(client, address)
  const reading = { client, call, address, areChecked: checked.areChecked }
  const listing = { client, call, bucket, below, isOurs: (name: string) => BLOB.test(name) }
  const nameOf = (blob: string) => {
    if (!BLOB.test(blob)) throw new RangeError('this is not a blob name')
    return below + blob
  }
  const removed = (name: string) =>
    call(async (abortSignal) => {
      try {
        await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: name }), { abortSignal })
      } catch (failure) {
        // Some stores report missing objects as errors.
        if (faultOf(failure)?.code !== 'NoSuchKey') throw failure
      }
    })

  const checksumReads = new SingleFlight<string, Stored | null>()

  return {
    isUnmetered: true,
    largestBytes: LARGEST_BYTES,
    async uploadLink(_upload, expected, expiresMs) {
      if (expected.size > LARGEST_BYTES) throw new RangeError(`a link takes at most ${LARGEST_BYTES} bytes`)
      return links.put(nameOf(expected.blob), expected, expiresMs)
    },
    downloadLink: async (offered, expiresMs) => links.get(nameOf(offered.blob), offered, expiresMs),
    async stored(blob, needsSha256 = false) {
      const read = () => storedAt(reading, blob, nameOf(blob), needsSha256)
      return needsSha256 ? checksumReads.join(blob, read) : read()
    },
    async remove(blobs) {
      for (let from = 0; from < blobs.length; from += REMOVED_TOGETHER) {
        await Promise.all(blobs.slice(from, from + REMOVED_TOGETHER).map((blob) => removed(nameOf(blob))))
      }
    },
    list: (after, limit) => listed(listing, after, limit),
    owner: bucketOwner(client, address, call),
    async sweepTemporary() {
      const probes = { ...listing, below: probesBelow(address), isOurs: isProbe }
      for (const { blob: name, storedMs } of await listed(probes, null, PROBES_SWEPT)) {
        if (storedMs + PROBE_KEPT_MS < options.now()) await removed(probes.below + name)
      }
    },
    close: async () => client.destroy(),
  }
}

/** Checks a store and returns the warnings. Throws StoresFault if it is unusable. */
export async function checkS3(options: Pick<S3Options, 'url' | 'now'>): Promise<S3Check & { readonly shown: string }> {
  const { address, client, checked } = await opened({ ...options, production: false, warn: () => {} })
  client.destroy()
  return { ...checked, shown: address.shown }
}

/** The owner marker alone: nothing is checked or written. Close it after use. */
export function openS3Owner(url: string): OwnerMarker & { close(): void } {
  const address = addressOf(url)
  const client = createClient(address)
  return { ...bucketOwner(client, address, reportingUnavailable(address.shown)), close: () => client.destroy() }
}

async function opened({ url, production, warn, now }: S3Options) {
  const address = addressOf(url)
  const client = createClient(address)
  try {
    const checked = await check(client, address, now)
    if (production && checked.faults.length > 0) throw new StoresFault(checked.faults.join('\n'))
    for (const message of [...checked.faults, ...checked.warnings]) warn(message)
    return { address, client, checked }
  } catch (failure) {
    client.destroy()
    throw failure
  }
}

const OWNER = 'owner'

/** The owner marker of a bucket, or of a prefix in it: an object beside the blobs. Rejects with StoreUnavailable. */
function bucketOwner(client: S3Client, { bucket, prefix }: Address, call: Call): OwnerMarker {
  const at = { Bucket: bucket, Key: prefix + OWNER }
  const put = (text: string, condition: { readonly IfNoneMatch?: '*' }) => {
    const request = { ...at, Body: Buffer.from(text), ContentType: 'text/plain', ...condition }
    return call(async (abortSignal) => {
      await client.send(new PutObjectCommand(request), { abortSignal }).catch((failure: unknown) => {
        // 412: there is one. 409: another caller is creating it.
        const status = faultOf(failure)?.status ?? 0
        if (condition.IfNoneMatch === undefined || ![409, 412].includes(status)) throw failure
      })
    })
  }
  return {
    read: () =>
      call(async (abortSignal) => {
        const found = await client.send(new GetObjectCommand(at), { abortSignal }).catch(unlessMissing)
        if (found === null) return null
        const { Body: body, ContentLength: size = 0 } = found
        if (size <= OWNER_MARKER_MAX_BYTES) return (await body?.transformToString()) ?? ''
        if (body instanceof Readable) body.destroy()
        return ''
      }),
    create: (text) => put(text, { IfNoneMatch: '*' }),
    replace: (text) => put(text, {}),
  }
}
