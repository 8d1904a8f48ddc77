// Buckets and their API answers.

import type { Bucket } from '../domain/bucket.ts'
import { monthOf } from '../domain/quota.ts'
import { asFolded, type Folded, folded, type QueryDeps } from './deps.ts'

export interface FoundBucket extends Folded<Bucket> {
  readonly game: string
  readonly bytes: number
  readonly files: number
  /** `2026-11`, and the bytes sent in it. */
  readonly month: string
  readonly downloaded: number
}

/** A bucket, or null; a deleted one only with `deletedToo`. */
export async function findBucket(deps: QueryDeps, id: string, deletedToo = false): Promise<FoundBucket | null> {
  const found = await folded<Bucket>(deps, 'buckets', id)
  return found === null || (found.state.deleted && !deletedToo) ? null : (found as FoundBucket)
}

/** All buckets of a game, in order of creation. */
export async function listBuckets(deps: QueryDeps, game: string): Promise<{ id: string; name: string }[]> {
  const documents = await deps.views.find({
    view: deps.viewKey('buckets'),
    collection: 'buckets',
    index: 'game',
    equal: [game],
    limit: Number.MAX_SAFE_INTEGER,
  })
  return documents.map((document) => asFolded<Bucket>(document)).map(({ id, state }) => ({ id, name: state.name }))
}

/** `nowMs` determines the current month. */
export function bucketAnswer({ id, game, state, bytes, files, month, downloaded }: FoundBucket, nowMs: number) {
  const { maxBytes, maxFiles, playerMaxBytes, playerMaxFiles, maxFileBytes, monthlyDownloadBytes } = state.limits
  return {
    id,
    name: state.name,
    game,
    bytes_used: bytes,
    files,
    max_bytes: maxBytes,
    max_files: maxFiles,
    player_max_bytes: playerMaxBytes,
    player_max_files: playerMaxFiles,
    max_file_bytes: maxFileBytes,
    monthly_download_bytes: monthlyDownloadBytes,
    downloaded_this_month: month === monthOf(nowMs) ? downloaded : 0,
  }
}
