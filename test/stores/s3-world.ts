import type { Expected, Offered, UploadLink } from '../../stores/contract/files.ts'
import { openS3Files } from '../../stores/s3/open.ts'
import { newId } from '../bytes.ts'
import type { FilesUnderTest } from '../contracts/files.suite.ts'
import { type Bucket, freshBucket } from '../servers/s3/store.ts'

export interface S3World extends FilesUnderTest {
  readonly bucket: Bucket
  readonly warnings: readonly string[]
  close(): Promise<void>
}

interface S3WorldOptions {
  /** Without the gate. */
  readonly bare?: boolean
  /** Configures the gate before the store is opened. */
  prepare?(bucket: Bucket): void
}

export async function openS3World({ bare = false, prepare }: S3WorldOptions = {}): Promise<S3World> {
  const bucket = await freshBucket()
  prepare?.(bucket)
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const url = bare ? bucket.bareUrl : bucket.url
  const files = await openS3Files({ url, production: false, warn, now: Date.now })
  return {
    bucket,
    warnings,
    files,
    nowMs: Date.now(),
    put: async (link, bytes) => (await putTo(link, bytes)).status,
    fetch: async (link) => {
      const answer = await fetch(link)
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
    },
    close: async () => {
      await files.close()
      await bucket.close()
    },
  }
}

export const inAMinute = (): number => Date.now() + 60_000

export const expectedOf = (bytes: Uint8Array, more: Partial<Expected> = {}): Expected => ({
  blob: newId(),
  size: bytes.length,
  contentType: 'image/png',
  sha256: null,
  ...more,
})

export const offeredOf = (expected: Expected, more: Partial<Offered> = {}): Offered => ({
  ...expected,
  name: 'a.png',
  bucket: 'b',
  download: newId(),
  ...more,
})

/** Sends the link's headers unchanged or with changes; null removes one. */
export function putTo(
  { url, headers }: UploadLink,
  bytes: Uint8Array,
  changes: Readonly<Record<string, string | null>> = {},
  method = 'PUT',
): Promise<Response> {
  const kept = Object.entries({ ...headers, ...changes }).filter((pair): pair is [string, string] => pair[1] !== null)
  return fetch(url, { method, headers: kept, body: bytes })
}
