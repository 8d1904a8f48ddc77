// Bytes of files in a world: in memory, or, where the test run promises servers, in a bucket of S3. Both are sent to
// and fetched from by their links.

import type { AnsweredLink, Sending } from '../memory/files.ts'
import { ON_SERVERS } from '../servers/places.ts'
import type { Gate } from '../servers/s3/gate.ts'
import { freshBucket, STARTED_WITHIN_MS, startS3 } from '../servers/s3/store.ts'

// Of the root suite: no world waits for it.
if (ON_SERVERS && 'before' in globalThis) {
  before(async function () {
    this.timeout(STARTED_WITHIN_MS)
    await startS3()
  })
}

/** What files in memory do as well. */
export interface WorldFiles {
  /** Sends bytes to an upload's link, given as it was answered; those into memory need its address alone. */
  send(link: AnsweredLink | string, bytes: Uint8Array): Promise<Sending>
  /** Fetches a download's link, from a byte on; null where it is dead. */
  fetch(url: string, from?: number): Promise<Buffer | null>
  /** Names of all that lies there. */
  blobs(): Promise<string[]> | string[]
}

export interface BucketFiles extends WorldFiles {
  /** S3_URL. */
  readonly s3Url: string
  /** What stands before it, and fails on demand. */
  readonly gate: Gate
  /** Names and bytes of all files in it. */
  objects(): Promise<Map<string, Buffer>>
  /** Puts bytes where a link leads, whatever it binds. */
  plant(link: AnsweredLink, bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** `now`, Unix milliseconds, is the clock by which links end. */
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
