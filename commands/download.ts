// Downloads: promised against the month's bytes when the link is made, metered when their bytes are about to be sent, and
// given back what was not sent.

import { type BucketLimits, bucketNotFound, bucketStream } from '../domain/bucket.ts'
import type { FileVersion } from '../domain/file.ts'
import { monthOf, quota, quotaStream } from '../domain/quota.ts'
import { beginDownload, cutDownload, meterDownload } from '../domain/reserve.ts'
import type { BucketPlace } from './bucket.ts'
import type { CommandDeps, FileCommandDeps } from './deps.ts'
import type { Intent } from './intent.ts'
import { gameOf } from './look.ts'
import { partOf } from './part-of.ts'

/** A download's link is good for so long. */
export const DOWNLOAD_LIFETIME_MS = 60_000

export type Downloadable = Pick<FileVersion, 'blob' | 'size' | 'contentType' | 'sha256'> & { readonly name: string }

/**
 * A link to a file's bytes. 422 `download_quota_exceeded`; 429 `links_unused` by what `asker` holds of links not used yet (null:
 * it is not bounded).
 */
export async function offerDownload(
  deps: FileCommandDeps,
  place: BucketPlace,
  { blob, size, contentType, sha256, name }: Downloadable,
  limits: BucketLimits,
  asker: string | null,
  intent: Intent,
): Promise<{ readonly url: string; readonly expiresMs: number }> {
  const download = intent.mint.id('download')
  const expiresMs = intent.nowMs + DOWNLOAD_LIFETIME_MS
  const about = { stream: quotaStream(place.bucket), game: place.game }
  // Where nobody tells what is sent, a link is counted whole at once: nothing of it stays promised.
  const by = deps.files.isUnmetered === true ? null : asker
  const fresh = { download, bytes: size, expires: new Date(expiresMs).toISOString(), by }
  await deps.handler.handle(quota, about, partOf(intent, 'download'), beginDownload(fresh, limits, intent.nowMs))
  // A store that does not tell what it sends counts every link as one whole download.
  if (deps.files.isUnmetered === true) await downloaded(deps, place.bucket, download, size, intent)
  const offered = { blob, size, contentType, sha256, name, bucket: place.bucket, download }
  return { url: await deps.files.downloadLink(offered, expiresMs), expiresMs }
}

/**
 * Counts bytes that were sent for a download against its bucket's month, for a store that tells of them afterwards. 503
 * `log_unavailable`; 404 for a bucket that never was. Each call has an intent of its own.
 */
export async function downloaded(
  deps: CommandDeps,
  bucket: string,
  download: string,
  bytes: number,
  intent: Intent,
): Promise<void> {
  if (bytes > 0) await sending(deps, bucket, download, bytes, intent)
}

/**
 * Counts bytes of a download against its bucket's month, for the door of a store to call before it sends the first of them: a
 * crash then leaves none uncounted. Every byte counts, also beyond what was promised and after the link's end. Calls for one
 * bucket that come together are recorded together. Answers the month (`2026-11`); its refusals are those of `downloaded`.
 */
export async function sending(
  deps: CommandDeps,
  bucket: string,
  download: string,
  bytes: number,
  intent: Intent,
): Promise<string> {
  const about = await aboutQuota(deps, bucket)
  const decision = meterDownload(download, bytes)
  const { events } = await deps.handler.handle(quota, about, partOf(intent, `meter ${download}`), decision)
  // Of no bytes nothing is recorded.
  const [event] = events
  return monthOf(event === undefined ? intent.nowMs : Date.parse(event.time))
}

/** Gives back what of `sending` was not sent: once for each, when it has ended. `month` is what that answered. */
export async function cutOff(
  deps: CommandDeps,
  bucket: string,
  { download, bytes, month }: { readonly download: string; readonly bytes: number; readonly month: string },
  intent: Intent,
): Promise<void> {
  const about = await aboutQuota(deps, bucket)
  await deps.handler.handle(quota, about, partOf(intent, `cut ${download}`), cutDownload(download, bytes, month))
}

async function aboutQuota(deps: CommandDeps, bucket: string) {
  const game = await gameOf(deps, bucketStream(bucket))
  if (game === null) throw bucketNotFound()
  return { stream: quotaStream(bucket), game }
}
