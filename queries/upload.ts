// Uploads that have reserved space and blobs that are in use, for the reactions that clean up.

import { unsafeCast } from '../domain/event.ts'
import type { QueryDeps } from './deps.ts'

export interface DueUpload {
  readonly id: string
  readonly bucket: string
  readonly game: string
}

/** Up to `limit` expired uploads, oldest first. */
export async function dueUploads(deps: QueryDeps, nowMs: number, limit: number): Promise<DueUpload[]> {
  const until = new Date(nowMs + 1).toISOString()
  const find = { view: deps.viewKey('uploads'), collection: 'uploads', index: 'expires', equal: [], until, limit }
  return (await deps.views.find(find)).map(({ body }) => unsafeCast<DueUpload>(body))
}

/** Those of these blobs that belong to a file or to an upload in progress. */
export async function blobsKept(deps: QueryDeps, blobs: readonly string[]): Promise<Set<string>> {
  const documents = await deps.views.get(deps.viewKey('blobs'), 'blobs', blobs)
  return new Set(blobs.filter((_, i) => documents[i] !== null))
}

/** Up to `limit` blobs of files by name, after `after`. */
export async function fileBlobs(
  deps: QueryDeps,
  after: string | null,
  limit: number,
): Promise<{ blobs: string[]; last: string | null }> {
  const documents = await deps.views.scan(deps.viewKey('blobs'), 'blobs', after, limit)
  const blobs = documents.filter(({ body }) => body.isFiles === true).map(({ id }) => id)
  return { blobs, last: documents.length < limit ? null : (documents.at(-1)?.id ?? null) }
}

/** Those of these blobs that belong to a file now, with their buckets. */
export async function blobsOfFiles(
  deps: QueryDeps,
  blobs: readonly string[],
): Promise<{ readonly blob: string; readonly bucket: string }[]> {
  const documents = await deps.views.get(deps.viewKey('blobs'), 'blobs', blobs)
  return documents.flatMap((document) => {
    if (document === null || document.body.isFiles !== true) return []
    return [{ blob: document.id, bucket: String(document.body.bucket) }]
  })
}
