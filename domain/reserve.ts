// What may be taken of a bucket and what is given back: the decisions on its quota.

import type { BucketLimits } from './bucket.ts'
import type { Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { asOfMinute, forgottenMs, givenBack, type QuotaEvent, unsent } from './quota.ts'
import type { Quota, Share } from './quota-state.ts'

/** Reserves room for an upload, unless it has it, or became a file before. 422 `file_too_large`, 422 `quota_exceeded` with the limit's name in `limit`. */
export function beginUpload(
  fresh: Share & { readonly upload: string; readonly size: number; readonly expires: string },
  limits: BucketLimits,
): Decision<Quota, QuotaEvent> {
  return (state) => {
    const { upload, size, owner, bytes, files, expires } = fresh
    if (state.uploads.has(upload) || state.past.has(upload)) return []
    checkSize(size, limits)
    checkRoom(state, { owner, bytes, files }, limits)
    return [{ type: 'UploadBegun', data: { upload, owner, bytes, files, expires } }]
  }
}

/** Holds room for what the upload will really take, by the limits in force now. The refusals of `beginUpload`. */
export function confirmUpload(
  fresh: Share & { readonly upload: string; readonly size: number },
  limits: BucketLimits,
): Decision<Quota, QuotaEvent> {
  return (state) => {
    const { upload, size, owner, bytes, files } = fresh
    const reserved = state.uploads.get(upload)
    // Settled already: there is nothing left to hold.
    if (reserved === undefined) return []
    checkSize(size, limits)
    checkRoom(givenBack(state, upload), { owner, bytes, files }, limits)
    const isSame = reserved.owner === owner && reserved.bytes === bytes && reserved.files === files
    return isSame ? [] : [{ type: 'UploadReassigned', data: { upload, owner, bytes, files } }]
  }
}

export function settleUpload(upload: string, held: Share, freed: Share | null): Decision<Quota, QuotaEvent> {
  return (state) => (state.uploads.has(upload) ? [{ type: 'UploadSettled', data: { upload, held, freed } }] : [])
}

export function releaseUpload(upload: string): Decision<Quota, QuotaEvent> {
  return (state) => (state.uploads.has(upload) ? [{ type: 'UploadReleased', data: { upload } }] : [])
}

export function beginDeletions(deletions: readonly string[]): Decision<Quota, QuotaEvent> {
  return (state) => {
    const fresh = deletions.filter((deletion) => !state.deletions.has(deletion) && !state.past.has(deletion))
    return fresh.length === 0 ? [] : [{ type: 'DeletionsBegun', data: { deletions: fresh } }]
  }
}

/** Frees what deleted files held, those whose deletion was begun here and not yet freed. */
export function freeFiles(files: readonly (Share & { readonly deletion: string })[]): Decision<Quota, QuotaEvent> {
  return (state) => {
    const due = files.filter(({ deletion }) => state.deletions.has(deletion))
    return due.length === 0 ? [] : [{ type: 'FilesFreed', data: { files: due } }]
  }
}

/**
 * What one asker may hold promised and not sent is this part of the month's bytes; or one file, where that is more. Links cost
 * nothing to ask for: without it, one who uses none of them would keep everybody else from downloading.
 */
const ASKER_PART = 1 / 8

/**
 * Promises a download of so many bytes in this month. 422 `download_quota_exceeded`; 429 `links_unused` where `by` holds too
 * many promises (null: whoever asks may hold all there is).
 */
export function beginDownload(
  fresh: { readonly download: string; readonly bytes: number; readonly expires: string; readonly by: string | null },
  limits: BucketLimits,
  nowMs: number,
): Decision<Quota, QuotaEvent> {
  return (before) => {
    const state = asOfMinute(before, nowMs)
    if (state.downloads.has(fresh.download)) return []
    if (state.sent + state.promised + fresh.bytes > limits.monthlyDownloadBytes) {
      const detail = 'The bucket’s monthly_download_bytes are used up: wait for the next month, or raise the limit.'
      const fields = { limit: 'monthly_download_bytes' }
      throw new Refusal('unprocessable', 'download_quota_exceeded', detail, fields)
    }
    const { by, ...data } = fresh
    if (by === null) return [{ type: 'DownloadBegun', data }]
    const held = state.askers.get(by) ?? 0
    const most = limits.monthlyDownloadBytes * ASKER_PART - fresh.bytes
    if (held > 0 && held > most) throw linksUnused(untilHolds(state, by, most) - nowMs)
    return [{ type: 'DownloadBegun', data: { ...data, by } }]
  }
}

/** Of bytes that were metered in a month, those that were not sent after all. */
export function cutDownload(download: string, bytes: number, month: string): Decision<Quota, QuotaEvent> {
  return () => (bytes === 0 ? [] : [{ type: 'DownloadCut', data: { download, bytes, month } }])
}

/** Bytes that are sent, whatever was promised. */
export function meterDownload(download: string, bytes: number): Decision<Quota, QuotaEvent> {
  return () => (bytes === 0 ? [] : [{ type: 'DownloadMetered', data: { download, bytes } }])
}

/** Until when an asker holds more than that, or anything, where they use none of what they have. Unix milliseconds. */
function untilHolds({ askers, downloads }: Quota, asker: string, most: number): number {
  let held = askers.get(asker) ?? 0
  const own = [...downloads.entries()].map(([, promise]) => promise).filter(({ by }) => by === asker)
  own.sort((one, other) => one.expiresMs - other.expiresMs)
  for (const promise of own) {
    held -= unsent(promise)
    if (held <= Math.max(0, most)) return forgottenMs(promise.expiresMs)
  }
  return Number.POSITIVE_INFINITY
}

function linksUnused(waitMs: number): Refusal {
  const detail =
    'Your links that were not used hold an eighth of the bucket’s monthly_download_bytes: use them, or wait until they end.'
  const retryAfter = Math.ceil(waitMs / 1_000)
  return new Refusal('too_many', 'links_unused', detail, { limit: 'unused_links', retry_after: retryAfter })
}

function checkSize(size: number, { maxFileBytes }: BucketLimits): void {
  if (size <= maxFileBytes) return
  const detail = `A file here may be ${maxFileBytes} bytes (the bucket’s max_file_bytes), and not ${size}.`
  throw new Refusal('unprocessable', 'file_too_large', detail, { limit: 'max_file_bytes' })
}

/** What takes no more than before is let through even where a limit was lowered below what is held. */
function checkRoom(state: Quota, { owner, bytes, files }: Share, limits: BucketLimits): void {
  if (bytes > 0 && state.bytes + bytes > limits.maxBytes) throw exceeded('max_bytes')
  if (files > 0 && state.files + files > limits.maxFiles) throw exceeded('max_files')
  if (owner === null) return
  const held = state.owners.get(owner) ?? { bytes: 0, files: 0 }
  if (bytes > 0 && held.bytes + bytes > limits.playerMaxBytes) throw exceeded('player_max_bytes')
  if (files > 0 && held.files + files > limits.playerMaxFiles) throw exceeded('player_max_files')
}

function exceeded(limit: string): Refusal {
  const detail = `There is no room left by ${limit}: delete files, or have the limit raised.`
  return new Refusal('unprocessable', 'quota_exceeded', detail, { limit })
}
