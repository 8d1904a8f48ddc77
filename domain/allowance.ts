// Decisions about a bucket's monthly download bytes. Bytes are counted under the limit before they are sent. When the
// limit is reached, the asker with the most promised and unsent bytes loses its promises to an asker with fewer.

import type { BucketLimits } from './bucket.ts'
import type { Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { asOfThisMinute, type QuotaEvent, unsent } from './quota.ts'
import type { Quota } from './quota-state.ts'

/** One asker may have at most this share of the month's bytes promised and unsent, or one file, whichever is more. */
const ASKER_SHARE = 1 / 8
/** A node pre-reserves at most this share of the free bytes. */
const PRERESERVED_SHARE = 1 / 16

/**
 * Promises a download of `bytes` in this month. Links are free to request, so an asker over its share loses its earlier
 * promises. If the limit is still exceeded, the asker with more promised bytes than `by` would have loses its promises.
 * `by` null: the promise belongs to no asker and is never dropped. A link without a promise still works while bytes are
 * free. Throws 422 `download_quota_exceeded`.
 */
export function beginDownload(
  fresh: { readonly download: string; readonly bytes: number; readonly expires: string; readonly by: string | null },
  limits: BucketLimits,
  nowMs: number,
): Decision<Quota, QuotaEvent> {
  return (before) => {
    const state = asOfThisMinute(before, nowMs)
    if (state.downloads.has(fresh.download)) return []
    const { by, ...data } = fresh
    const { bytes } = data
    const own = by === null ? 0 : (state.askers.get(by) ?? 0)
    const part = limits.monthlyDownloadBytes * ASKER_SHARE
    const excess = excessBytes(state, bytes, limits)
    // A single file above the share is dropped only if the limit is exceeded.
    const dropsOwn = own > 0 && own + bytes > part && (own <= part || excess <= 0)
    const askers = dropsOwn
      ? [by, ...askersToDrop(state, { excess: excess - own, bytes, wouldHold: bytes, except: by }, limits)]
      : askersToDrop(state, { excess, bytes, wouldHold: own + bytes, except: by }, limits)
    return [...dropPromises(askers), { type: 'DownloadBegun', data: by === null ? data : { ...data, by } }]
  }
}

/**
 * Counts bytes of a download before they are sent, and pre-reserves up to `prereserved` more for other downloads. Bytes
 * beyond the download's promise need free quota. Throws 422 `download_quota_exceeded`: the bytes must not be sent.
 */
export function reserveDownloadBytes(
  { download, bytes, prereserved }: { readonly download: string; readonly bytes: number; readonly prereserved: number },
  limits: BucketLimits,
  nowMs: number,
): Decision<Quota, QuotaEvent> {
  return (before) => {
    if (bytes === 0) return []
    const state = asOfThisMinute(before, nowMs)
    const promise = state.downloads.get(download)
    const beyond = Math.max(0, bytes - (promise === undefined ? 0 : unsent(promise)))
    const excess = excessBytes(state, beyond, limits)
    const inUse = { by: promise?.by ?? null, bytes: bytes - beyond }
    const needed = { excess, bytes: beyond, wouldHold: beyond, except: null, inUse }
    const askers = beyond === 0 ? [] : askersToDrop(state, needed, limits)
    const extra = Math.min(prereserved, Math.floor(-excess * PRERESERVED_SHARE))
    return [
      ...dropPromises(askers),
      { type: 'DownloadMetered', data: { download, bytes } },
      ...(extra > 0 ? [{ type: 'DownloadMetered', data: { download: null, bytes: extra } } as const] : []),
    ]
  }
}

/** Counts bytes that were already sent; never refuses. */
export function recordDownload(download: string, bytes: number): Decision<Quota, QuotaEvent> {
  return () => (bytes === 0 ? [] : [{ type: 'DownloadMetered', data: { download, bytes } }])
}

/**
 * Gives back bytes that were counted in `month` and not sent. They are promised to the download again if the month is
 * still the same: in a new month others may have been promised those bytes.
 */
export function refundUnsentBytes(
  { download, bytes, month }: { readonly download: string | null; readonly bytes: number; readonly month: string },
  nowMs: number,
): Decision<Quota, QuotaEvent> {
  return (before) => {
    if (bytes === 0) return []
    const isOver = asOfThisMinute(before, nowMs).month !== month
    return [{ type: 'DownloadCut', data: { download: isOver ? null : download, bytes, month } }]
  }
}

/** Records which downloads received pre-reserved bytes; downloads without a promise are left out. */
export function recordSentDownloads(sent: ReadonlyMap<string, number>): Decision<Quota, QuotaEvent> {
  return (state) => {
    const known = [...sent].filter(([download, bytes]) => bytes > 0 && state.downloads.has(download))
    const downloads = known.map(([download, bytes]) => ({ download, bytes }))
    return downloads.length === 0 ? [] : [{ type: 'DownloadsSent', data: { downloads } }]
  }
}

/** Bytes by which the month's limit would be exceeded; negative: bytes that would stay free. */
const excessBytes = ({ sent, promised }: Quota, bytes: number, { monthlyDownloadBytes }: BucketLimits): number =>
  sent + promised + bytes - monthlyDownloadBytes

const dropPromises = (askers: readonly (string | null)[]): QuotaEvent[] => {
  const named = askers.filter((asker) => asker !== null)
  return named.length === 0 ? [] : [{ type: 'PromisesDropped', data: { askers: named } }]
}

interface NeededBytes {
  /** Bytes missing under the limit; 0 or less if none are. */
  readonly excess: number
  readonly bytes: number
  /** Bytes that the caller would have promised afterwards. */
  readonly wouldHold: number
  readonly except: string | null
  /** Promised bytes that this download itself uses: dropping them frees nothing. */
  readonly inUse?: { readonly by: string | null; readonly bytes: number }
}

/**
 * The asker with the most promised bytes, if more than `wouldHold`. One is enough unless the limit was lowered since.
 */
function askersToDrop(
  state: Quota,
  { excess, bytes, wouldHold, except, inUse }: NeededBytes,
  limits: BucketLimits,
): string[] {
  if (excess <= 0) return []
  // If the bytes already sent exceed the limit, dropping promises cannot help.
  if (state.sent + bytes <= limits.monthlyDownloadBytes) {
    let largest = wouldHold
    let largestAsker: string | null = null
    for (const [asker, promised] of state.askers.entries()) {
      const promisedTo = asker === inUse?.by ? promised - inUse.bytes : promised
      if (promisedTo <= largest || asker === except) continue
      largest = promisedTo
      largestAsker = asker
    }
    if (largestAsker !== null && largest >= excess) return [largestAsker]
  }
  const detail = 'The bucket’s monthly_download_bytes are used up: wait for the next month, or raise the limit.'
  throw new Refusal('unprocessable', 'download_quota_exceeded', detail, { limit: 'monthly_download_bytes' })
}
