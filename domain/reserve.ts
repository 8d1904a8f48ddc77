// Decisions about a bucket's quota for uploads and deletions. Those for downloads are in allowance.ts.

import type { BucketLimits } from './bucket.ts'
import type { Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { type QuotaEvent, withoutReservation } from './quota.ts'
import type { Quota, Share } from './quota-state.ts'

/**
 * Reserves quota for an upload, unless that is already reserved or settled. 422 `file_too_large`, 422 `quota_exceeded`
 * with the limit's name in `limit`.
 */
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

/**
 * Adjusts the reservation to the quota that the upload needs now, under the current limits. Throws like `beginUpload`.
 */
export function confirmUpload(
  fresh: Share & { readonly upload: string; readonly size: number },
  limits: BucketLimits,
): Decision<Quota, QuotaEvent> {
  return (state) => {
    const { upload, size, owner, bytes, files } = fresh
    const reserved = state.uploads.get(upload)
    // Already settled.
    if (reserved === undefined) return []
    checkSize(size, limits)
    checkRoom(withoutReservation(state, upload), { owner, bytes, files }, limits)
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

/** Frees the quota of deleted files whose deletion has begun here and is not freed yet. */
export function freeFiles(files: readonly (Share & { readonly deletion: string })[]): Decision<Quota, QuotaEvent> {
  return (state) => {
    const due = files.filter(({ deletion }) => state.deletions.has(deletion))
    return due.length === 0 ? [] : [{ type: 'FilesFreed', data: { files: due } }]
  }
}

/** 422 `file_too_large` above `largestBytes`, the largest file that the file store accepts. */
export function checkSizeOfStore(size: number, largestBytes: number): void {
  if (size <= largestBytes) return
  const detail = `The file has ${size} bytes; this server accepts at most ${largestBytes}, even if the bucket allows more.`
  throw new Refusal('unprocessable', 'file_too_large', detail, { limit: 'file_store' })
}

/** 422 `file_too_large`. */
export function checkSize(size: number, { maxFileBytes }: BucketLimits): void {
  if (size <= maxFileBytes) return
  const detail = `The file has ${size} bytes; the bucket’s max_file_bytes allows ${maxFileBytes}.`
  throw new Refusal('unprocessable', 'file_too_large', detail, { limit: 'max_file_bytes' })
}

/** An upload that needs no more quota than before passes, even if a limit was lowered below the used quota. */
function checkRoom(state: Quota, { owner, bytes, files }: Share, limits: BucketLimits): void {
  if (bytes > 0 && state.bytes + bytes > limits.maxBytes) throw exceeded('max_bytes')
  if (files > 0 && state.files + files > limits.maxFiles) throw exceeded('max_files')
  if (owner === null) return
  const held = state.owners.get(owner) ?? { bytes: 0, files: 0 }
  if (bytes > 0 && held.bytes + bytes > limits.playerMaxBytes) throw exceeded('player_max_bytes')
  if (files > 0 && held.files + files > limits.playerMaxFiles) throw exceeded('player_max_files')
}

function exceeded(limit: string): Refusal {
  const detail = `This would exceed the bucket’s ${limit}. Delete files, or raise the limit.`
  return new Refusal('unprocessable', 'quota_exceeded', detail, { limit })
}
