// The bytes of files of a world: in memory, or in a bucket of S3 if the test run uses servers. Both are written and
// read by their links.

import type { AnsweredLink, Sending } from '../memory/files.ts'
import type { Gate } from '../servers/s3/gate.ts'
import { freshBucket, STARTED_WITHIN_MS, startS3 } from '../servers/s3/store.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'

// A hook of the root suite: worlds do not wait for it.
if (ON_SERVERS && 'before' in globalThis) {
  before(async function () {
    this.timeout(STARTED_WITHIN_MS)
    await startS3()
  })
}

/** The interface that files in memory have, too. */
export interface WorldFiles {
  /** Sends bytes to an upload’s link with its headers; links into memory need only the address. */
  send(link: AnsweredLink | string, bytes: Uint8Array): Promise<Sending>
  /** Fetches a download’s link from a byte on; null if it is no longer valid. */
  fetch(url: string, from?: number): Promise<Buffer | null>
  /** Names of all stored blobs. */
  blobs(): Promise<string[]> | string[]
}

export interface BucketFiles extends WorldFiles {
  /** S3_URL. */
  readonly s3Url: string
  /** The proxy before the store, which fails on demand. */
  readonly gate: Gate
  /** Names and bytes of all files in it. */
  objects(): Promise<Map<string, Buffer>>
  /** Stores bytes under the key of a link, ignoring what the link binds. */
  plant(link: AnsweredLink, bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** `now`, Unix milliseconds, is the clock by which links expire. */
export async function inBucket(now: () => number): Promise<BucketFiles> {
  const bucket = await freshBucket()
  bucket.gate.linkNow = now
  return {
    s3Url: bucket.url,
    gate: bucket.gate,
    async send(link, bytes) {
      if (typeof link === 'string') throw new Error('a link to S3 is used with the headers answered with it')
      const { url, headers } = link
      const { status } = await fetch(url, { method: 'PUT', headers, body: bytes })
      if (status === 200) return 'stored'
      if (status !== 403 && status !== 412) throw new Error(`a link to S3 answers ${status}`)
      return 'dead'
    },
    async fetch(url, from = 0) {
      const answer = await fetch(url, from === 0 ? {} : { headers: { range: `bytes=${from}-` } })
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (answer.ok) return bytes
      if (answer.status !== 403 && answer.status !== 404) throw new Error(`a link to S3 answers ${answer.status}`)
      return null
    },
    async plant({ url }, bytes) {
      const past = new URL(bucket.bareUrl).origin + new URL(url).pathname
      const { status } = await fetch(past, { method: 'PUT', body: bytes })
      if (status !== 200) throw new Error(`Moto answers ${status}`)
    },
    blobs: () => bucket.names(),
    async objects() {
      const named = await bucket.names()
      const bytes = await Promise.all(named.map((name) => bucket.bytes(name)))
      return new Map(named.map((name, n) => [name, bytes[n] ?? Buffer.alloc(0)]))
    },
    close: () => bucket.close(),
  }
}
