// What uploads may take of a bucket, and what deletions give back: decisions on its quota. Those on downloads are in
// allowance.ts.

import type { BucketLimits } from './bucket.ts'
import type { Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { withoutReservation, type QuotaEvent } from './quota.ts'
import type { Quota, Share } from './quota-state.ts'

/**
 * Reserves room for an upload, unless it has it, or became a file before. 422 `file_too_large`, 422 `quota_exceeded`
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

/** Frees what deleted files held, those whose deletion was begun here and not yet freed. */
export function freeFiles(files: readonly (Share & { readonly deletion: string })[]): Decision<Quota, QuotaEvent> {
  return (state) => {
    const due = files.filter(({ deletion }) => state.deletions.has(deletion))
    return due.length === 0 ? [] : [{ type: 'FilesFreed', data: { files: due } }]
  }
}

/** 422 `file_too_large`. `largestBytes` is what the file store takes at most, whatever the bucket allows. */
export function checkSizeOfStore(size: number, largestBytes: number): void {
  if (size <= largestBytes) return
  const detail = `The file store takes files of at most ${largestBytes} bytes, and not of ${size}, whatever the bucket allows.`
  throw new Refusal('unprocessable', 'file_too_large', detail, { limit: 'file_store' })
}

/** 422 `file_too_large`. */
export function checkSize(size: number, { maxFileBytes }: BucketLimits): void {
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
