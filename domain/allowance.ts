// What of a month's bytes downloads may take: decisions on a bucket's quota. Nothing is sent that was not counted under
// the limit before, and what is promised to those who use none of it gives way to those who hold less.

import type { BucketLimits } from './bucket.ts'
import type { Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { asOfThisMinute, type QuotaEvent, unsent } from './quota.ts'
import type { Quota } from './quota-state.ts'

/** What one asker may hold promised and not sent is this part of the month's bytes; or one file, where that is more. */
const ASKER_SHARE = 1 / 8
/** A node counts ahead at most this part of what is still free. */
const PRERESERVED_SHARE = 1 / 16

/**
 * Promises a download of so many bytes in this month. Links cost nothing to ask for, so who would hold more than their
 * part gives up all that was promised to them before; and where there is no room, those do who hold more than `by`
 * would (null: one who holds nothing, and never gives way). A link whose promise is gone is good still, for as long as
 * there is room. 422 `download_quota_exceeded`.
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
    // One large file is a promise like any other where there is no room.
    const dropsOwn = own > 0 && own + bytes > part && (own <= part || excess <= 0)
    const askers = dropsOwn
      ? [by, ...askersToDrop(state, { excess: excess - own, bytes, wouldHold: bytes, except: by }, limits)]
      : askersToDrop(state, { excess, bytes, wouldHold: own + bytes, except: by }, limits)
    return [...dropPromises(askers), { type: 'DownloadBegun', data: by === null ? data : { ...data, by } }]
  }
}

/**
 * Counts bytes that are about to be sent, and up to `ahead` more for others. What was promised to the download is there
 * for it; beyond that there must be room. 422 `download_quota_exceeded`: then they must not be sent.
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

/** Bytes that are sent, whatever was promised. */
export function recordDownload(download: string, bytes: number): Decision<Quota, QuotaEvent> {
  return () => (bytes === 0 ? [] : [{ type: 'DownloadMetered', data: { download, bytes } }])
}

/**
 * Of bytes that were metered in a month, those that were not sent after all. They are promised to the download again,
 * but not from one month to the next: there others may have been promised as much.
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

/** Which downloads bytes counted ahead went to. Those to which nothing is promised any more are left out. */
export function recordSentDownloads(sent: ReadonlyMap<string, number>): Decision<Quota, QuotaEvent> {
  return (state) => {
    const known = [...sent].filter(([download, bytes]) => bytes > 0 && state.downloads.has(download))
    const downloads = known.map(([download, bytes]) => ({ download, bytes }))
    return downloads.length === 0 ? [] : [{ type: 'DownloadsSent', data: { downloads } }]
  }
}

/** By how much more the month's bytes would be over the limit; below zero: so many would be free. */
const excessBytes = ({ sent, promised }: Quota, bytes: number, { monthlyDownloadBytes }: BucketLimits): number =>
  sent + promised + bytes - monthlyDownloadBytes

const dropPromises = (askers: readonly (string | null)[]): QuotaEvent[] => {
  const named = askers.filter((asker) => asker !== null)
  return named.length === 0 ? [] : [{ type: 'PromisesDropped', data: { askers: named } }]
}

interface NeededBytes {
  /** What there is too little room for; none up to zero. */
  readonly excess: number
  readonly bytes: number
  /** What the caller would hold then. */
  readonly wouldHold: number
  readonly except: string | null
  /** Of what is promised to one of them so much is used by this very download: it makes no room. */
  readonly inUse?: { readonly by: string | null; readonly bytes: number }
}

/**
 * Who gives way: the one who holds most, where that is more than `holding`. One suffices, or
 * the limit was lowered meanwhile.
 */
function askersToDrop(state: Quota, { excess, bytes, wouldHold, except, inUse }: NeededBytes, limits: BucketLimits): string[] {
  if (excess <= 0) return []
  // Where what was sent leaves no room by itself, it need not be looked for.
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
