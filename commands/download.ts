// Downloads: promised against the month's bytes when the link is made, counted before their bytes are sent; unsent
// bytes are refunded.

import {
  beginDownload,
  recordDownload,
  recordSentDownloads,
  refundUnsentBytes,
  reserveDownloadBytes,
} from '../domain/allowance.ts'
import { type BucketLimits, bucketNotFound, bucket as bucketOf, bucketStream } from '../domain/bucket.ts'
import { Refusal } from '../domain/decider.ts'
import { contentTypeOf, type FileVersion } from '../domain/file.ts'
import { monthOf, quota, quotaStream } from '../domain/quota.ts'
import { checkFilesOn } from '../stores/support/no-files.ts'
import type { BucketRef } from './bucket.ts'
import { type CommandContext, childContext } from './command-context.ts'
import type { CommandDeps, FileCommandDeps } from './command-deps.ts'
import { gameOf, loadState } from './load-state.ts'

/** How long a download link is valid. */
export const DOWNLOAD_LIFETIME_MS = 60_000

export type Downloadable = Pick<FileVersion, 'blob' | 'size' | 'contentType' | 'sha256'> & { readonly name: string }

interface DownloadRequest {
  readonly file: Downloadable
  readonly limits: BucketLimits
  /** Who requests the link: their unused promises may be dropped for others; null: they may not. */
  readonly asker: string | null
}

/** A link to a file's bytes. 422 `download_quota_exceeded`, 503 `files_off`. */
export async function offerDownload(
  deps: FileCommandDeps,
  ref: BucketRef,
  { file: { blob, size, contentType, sha256, name }, limits, asker }: DownloadRequest,
  context: CommandContext,
): Promise<{ readonly url: string; readonly expiresMs: number }> {
  checkFilesOn(deps.files)
  const download = context.generator.id('download')
  const expiresMs = context.nowMs + DOWNLOAD_LIFETIME_MS
  const about = { stream: quotaStream(ref.bucket), game: ref.game }
  // A store that does not report sent bytes counts the whole file at once, so nothing stays promised.
  const by = deps.files.isUnmetered === true ? null : asker
  const fresh = { download, bytes: size, expires: new Date(expiresMs).toISOString(), by }
  const begin = () =>
    deps.handler.handle(quota, about, childContext(context, 'download'), beginDownload(fresh, limits, context.nowMs))
  await begin().catch(async (error: unknown) => {
    // Bytes that this node pre-reserved must not make the download fail.
    if (!isUsedUp(error) || (await deps.releasePrereserved?.(ref.bucket)) !== true) throw error
    await begin()
  })
  if (deps.files.isUnmetered === true) await recordDownloaded(deps, ref.bucket, { download, bytes: size }, context)
  const offered = {
    blob,
    size,
    contentType: contentTypeOf({ contentType }),
    sha256,
    name,
    bucket: ref.bucket,
    download,
  }
  return { url: await deps.files.downloadLink(offered, expiresMs), expiresMs }
}

export const isUsedUp = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'download_quota_exceeded'

/**
 * Counts bytes that a store reports after sending them. 503 `log_unavailable`; 404 for an unknown bucket. Each call
 * needs its own context.
 */
export async function recordDownloaded(
  deps: CommandDeps,
  bucket: string,
  { download, bytes }: { readonly download: string; readonly bytes: number },
  context: CommandContext,
): Promise<void> {
  if (bytes === 0) return
  const part = childContext(context, `meter ${download}`)
  await deps.handler.handle(quota, await aboutQuota(deps, bucket), part, recordDownload(download, bytes))
}

/** The result of `reserveBytes`. */
export interface Counted {
  /** The month in which the bytes were counted (`2026-11`). */
  readonly month: string
  /** Bytes pre-reserved for later downloads. */
  readonly prereserved: number
}

/**
 * Counts bytes of a download against its bucket's month, and pre-reserves up to `prereserved` more. To be called before
 * the first byte is sent, so that a crash leaves none uncounted. Concurrent calls for one bucket are recorded in one
 * append. 422 `download_quota_exceeded` if the bytes are neither promised to the download nor free; else as
 * `recordDownloaded`.
 */
export async function reserveBytes(
  deps: CommandDeps,
  bucket: string,
  wanted: { readonly download: string; readonly bytes: number; readonly prereserved: number },
  context: CommandContext,
): Promise<Counted> {
  const about = await aboutQuota(deps, bucket)
  const state = await loadState(deps, bucketOf, bucketStream(bucket))
  if (state === null) throw bucketNotFound()
  const decision = reserveDownloadBytes(wanted, state.limits, context.nowMs)
  const { events } = await deps.handler.handle(
    quota,
    about,
    childContext(context, `meter ${wanted.download}`),
    decision,
  )
  const counted = { month: monthOf(context.nowMs), prereserved: 0 }
  for (const { type, data, time } of events) {
    if (type !== 'DownloadMetered') continue
    counted.month = monthOf(Date.parse(time))
    if (data.download === null) counted.prereserved = data.bytes
  }
  return counted
}

/** Records which downloads used pre-reserved bytes, which are already counted. */
export async function recordSent(
  deps: CommandDeps,
  bucket: string,
  downloads: ReadonlyMap<string, number>,
  context: CommandContext,
): Promise<void> {
  await deps.handler.handle(
    quota,
    await aboutQuota(deps, bucket),
    childContext(context, 'sent'),
    recordSentDownloads(downloads),
  )
}

/**
 * Refunds bytes of `reserveBytes` that were not sent; call it once for each, after the download has ended. `month` is
 * from its result. `download` null: pre-reserved bytes.
 */
export async function refundUnsent(
  deps: CommandDeps,
  bucket: string,
  { download, bytes, month }: { readonly download: string | null; readonly bytes: number; readonly month: string },
  context: CommandContext,
): Promise<void> {
  const about = await aboutQuota(deps, bucket)
  const part = childContext(context, `cut ${download ?? 'ahead'}`)
  await deps.handler.handle(quota, about, part, refundUnsentBytes({ download, bytes, month }, context.nowMs))
}

async function aboutQuota(deps: CommandDeps, bucket: string) {
  const game = await gameOf(deps, bucketStream(bucket))
  if (game === null) throw bucketNotFound()
  return { stream: quotaStream(bucket), game }
}
