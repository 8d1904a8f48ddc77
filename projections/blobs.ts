// The view of blobs that belong to a file or to an upload in progress. Any other blob in the file store is an orphan.

import { type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { Replaced } from '../domain/file.ts'
import { idsIn } from '../domain/streams.ts'
import type { Projection } from './projection.ts'

export const blobs: Projection = {
  name: 'blobs',
  version: 1,
  collections: [{ name: 'blobs', indexes: {} }],
  takes: ['UploadOpened', 'UploadExpired', 'FileStored', 'FileOverwritten', 'FileDeleted'],
  needs: (event) => [...inUse(event), ...released(event)].map((blob) => ['blobs', blob] as const),
  handle(event, docs) {
    const { game } = event.meta
    for (const blob of inUse(event)) {
      const bucket = event.type === 'UploadOpened' ? String(event.data.bucket) : idsIn(event.stream)[0]
      docs.put('blobs', blob, { blob, game, bucket, isFiles: event.type !== 'UploadOpened' })
    }
    for (const blob of released(event)) docs.remove('blobs', blob)
  },
}

function inUse({ type, data }: StoredEvent): string[] {
  return type === 'UploadExpired' || type === 'FileDeleted' ? [] : [String(data.blob)]
}

/** Blobs that belong to no file or upload after this event. */
function released({ type, data }: StoredEvent): string[] {
  if (type === 'UploadExpired') return data.blob === null ? [] : [String(data.blob)]
  if (type === 'FileDeleted') return [String(data.blob)]
  const replaced = unsafeCast<Replaced | null>(data.replaced ?? null)
  return replaced === null ? [] : [replaced.blob]
}
