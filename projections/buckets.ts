// The view of buckets: their settings, and the storage and download counters, computed from the events of their files.

import { type Bucket, type BucketEvent, bucket } from '../domain/bucket.ts'
import { type JsonObject, recordedAt, type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { FileDeletedData, FileOverwrittenData, FileStoredData } from '../domain/file.ts'
import { idsIn, isNamed } from '../domain/streams.ts'
import type { Docs, Projection } from './projection.ts'

export const buckets: Projection = {
  name: 'buckets',
  version: 1,
  collections: [{ name: 'buckets', indexes: { game: ['listedIn', 'created'] } }],
  takes: [
    'BucketCreated',
    'BucketConfigured',
    'BucketDeleted',
    'FileStored',
    'FileOverwritten',
    'FileDeleted',
    'DownloadMetered',
    'DownloadCut',
  ],
  needs: ({ stream }) => [['buckets', idsIn(stream)[0]]],
  handle(event, docs) {
    const [id] = idsIn(event.stream)
    const before = docs.get('buckets', id)
    if (isNamed(event.stream, 'bucket-')) return putSettings(event, docs, id, before)
    if (before === null) throw new Error(`${event.type} in bucket ${id}, which was never created`)
    docs.put('buckets', id, { ...before, ...countersAfter(event, before) })
  },
}

function putSettings(event: StoredEvent, docs: Docs, id: string, before: JsonObject | null): void {
  const state = bucket.evolve(
    unsafeCast<Bucket | null>(before?.state ?? null),
    unsafeCast<BucketEvent>(event),
    recordedAt(event),
  )
  if (state === null) return
  const { game } = event.meta
  const counters = before ?? { bytes: 0, files: 0, month: '', downloaded: 0 }
  const listedIn = state.deleted ? null : game
  docs.put('buckets', id, {
    ...counters,
    id,
    game,
    state: unsafeCast<JsonObject>(state),
    created: state.created,
    listedIn,
  })
}

function countersAfter({ type, data, meta }: StoredEvent, before: JsonObject): JsonObject {
  const { bytes, files, month, downloaded } = unsafeCast<Counters>(before)
  switch (type) {
    case 'FileStored': {
      const { size, replaced } = unsafeCast<FileStoredData>(data)
      const gone = replaced === null ? { size: 0, files: 0 } : { size: replaced.size, files: 1 }
      return { bytes: bytes + size - gone.size, files: files + 1 - gone.files }
    }
    case 'FileOverwritten': {
      const { size, replaced } = unsafeCast<FileOverwrittenData>(data)
      return { bytes: bytes + size - replaced.size }
    }
    case 'FileDeleted':
      return { bytes: bytes - unsafeCast<FileDeletedData>(data).size, files: files - 1 }
    case 'DownloadCut':
      return data.month === month ? { downloaded: downloaded - Number(data.bytes) } : {}
    default: {
      const present = meta.time.slice(0, 'yyyy-mm'.length)
      const sent = Number(data.bytes)
      return { month: present, downloaded: present === month ? downloaded + sent : sent }
    }
  }
}

interface Counters {
  readonly bytes: number
  readonly files: number
  readonly month: string
  readonly downloaded: number
}
