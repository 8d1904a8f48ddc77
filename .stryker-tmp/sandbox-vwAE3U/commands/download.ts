// Downloads: promised against the month's bytes when the link is made, metered when their bytes are about to be sent,
// and given back what was not sent.

import { beginDownload, cutDownload, recordDownload, sendDownload, tellSent } from '../domain/allowance.ts'
import { type BucketLimits, bucketNotFound, bucket as bucketOf, bucketStream } from '../domain/bucket.ts'
import { Refusal } from '../domain/decider.ts'
import { contentTypeOf, type FileVersion } from '../domain/file.ts'
import { monthOf, quota, quotaStream } from '../domain/quota.ts'
import { checkFilesOn } from '../stores/support/no-files.ts'
import type { BucketPlace } from './bucket.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDeps, FileCommandDeps } from './command-deps.ts'
import { gameOf, loadState } from './load-state.ts'
import { partOf } from './part-of.ts'

/** A download's link is good for so long. */
export const DOWNLOAD_LIFETIME_MS = 60_000

export type Downloadable = Pick<FileVersion, 'blob' | 'size' | 'contentType' | 'sha256'> & { readonly name: string }

interface AskedDownload {
  readonly file: Downloadable
  readonly limits: BucketLimits
  /** Whose unused links make room for those of others; null: they do not. */
  readonly asker: string | null
}

/** A link to a file's bytes. 422 `download_quota_exceeded`, 503 `files_off`. */
export async function offerDownload(
  deps: FileCommandDeps,
  place: BucketPlace,
  { file: { blob, size, contentType, sha256, name }, limits, asker }: AskedDownload,
  context: CommandContext,
): Promise<{ readonly url: string; readonly expiresMs: number }> {
  checkFilesOn(deps.files)
  const download = context.generator.id('download')
  const expiresMs = context.nowMs + DOWNLOAD_LIFETIME_MS
  const about = { stream: quotaStream(place.bucket), game: place.game }
  // Where nobody tells what is sent, a link is counted whole at once: nothing of it stays promised.
  const by = deps.files.isUnmetered === true ? null : asker
  const fresh = { download, bytes: size, expires: new Date(expiresMs).toISOString(), by }
  const begin = () =>
    deps.handler.handle(quota, about, partOf(context, 'download'), beginDownload(fresh, limits, context.nowMs))
  await begin().catch(async (why: unknown) => {
    // What this node counted ahead is in nobody's way.
    if (!isUsedUp(why) || (await deps.giveBackAhead?.(place.bucket)) !== true) throw why
    await begin()
  })
  // A store that does not tell what it sends counts every link as one whole download.
  if (deps.files.isUnmetered === true) await downloaded(deps, place.bucket, { download, bytes: size }, context)
  const offered = {
    blob,
    size,
    contentType: contentTypeOf({ contentType }),
    sha256,
    name,
    bucket: place.bucket,
    download,
  }
  return { url: await deps.files.downloadLink(offered, expiresMs), expiresMs }
}

export const isUsedUp = (why: unknown): boolean => why instanceof Refusal && why.code === 'download_quota_exceeded'

/**
 * Counts bytes that were sent for a download against its bucket's month, for a store that tells of them afterwards. 503
 * `log_unavailable`; 404 for a bucket that never was. Each call has an intent of its own.
 */
export async function downloaded(
  deps: CommandDeps,
  bucket: string,
  { download, bytes }: { readonly download: string; readonly bytes: number },
  context: CommandContext,
): Promise<void> {
  if (bytes === 0) return
  const part = partOf(context, `meter ${download}`)
  await deps.handler.handle(quota, await aboutQuota(deps, bucket), part, recordDownload(download, bytes))
}

/** What was counted of what a node is about to send. */
export interface Counted {
  /** `2026-11`: that in which it was counted. */
  readonly month: string
  /** Counted beyond what was named, for whichever downloads come next. */
  readonly ahead: number
}

/**
 * Counts bytes of a download against its bucket's month, and up to `ahead` more, for the door of a store to call before
 * it sends the first of them: a crash then leaves none uncounted. Calls for one bucket that come together are recorded
 * together. 422 `download_quota_exceeded` beyond what was promised to the download, where there is no room; else the
 * refusals of `downloaded`.
 */
export async function sending(
  deps: CommandDeps,
  bucket: string,
  wanted: { readonly download: string; readonly bytes: number; readonly ahead: number },
  context: CommandContext,
): Promise<Counted> {
  const about = await aboutQuota(deps, bucket)
  const state = await loadState(deps, bucketOf, bucketStream(bucket))
  if (state === null) throw bucketNotFound()
  const decision = sendDownload(wanted, state.limits, context.nowMs)
  const { events } = await deps.handler.handle(quota, about, partOf(context, `meter ${wanted.download}`), decision)
  const counted = { month: monthOf(context.nowMs), ahead: 0 }
  for (const { type, data, time } of events) {
    if (type !== 'DownloadMetered') continue
    counted.month = monthOf(Date.parse(time))
    if (data.download === null) counted.ahead = data.bytes
  }
  return counted
}

/** Which downloads bytes counted ahead went to; nothing is counted by it. */
export async function sent(
  deps: CommandDeps,
  bucket: string,
  downloads: ReadonlyMap<string, number>,
  context: CommandContext,
): Promise<void> {
  await deps.handler.handle(quota, await aboutQuota(deps, bucket), partOf(context, 'sent'), tellSent(downloads))
}

/**
 * Gives back what of `sending` was not sent: once for each, when it has ended. `month` is what that answered;
 * `download` is null for what was counted ahead.
 */
export async function cutOff(
  deps: CommandDeps,
  bucket: string,
  { download, bytes, month }: { readonly download: string | null; readonly bytes: number; readonly month: string },
  context: CommandContext,
): Promise<void> {
  const about = await aboutQuota(deps, bucket)
  const part = partOf(context, `cut ${download ?? 'ahead'}`)
  await deps.handler.handle(quota, about, part, cutDownload({ download, bytes, month }, context.nowMs))
}

async function aboutQuota(deps: CommandDeps, bucket: string) {
  const game = await gameOf(deps, bucketStream(bucket))
  if (game === null) throw bucketNotFound()
  return { stream: quotaStream(bucket), game }
}
