// Lists all blobs in the store, page by page, in name order.

import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3'
import type { Stored } from '../contract/files.ts'
import type { Call } from './client.ts'

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
