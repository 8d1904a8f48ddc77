// What of a month's bytes downloads may take: decisions on a bucket's quota. Nothing is sent that was not counted under
// the limit before, and what is promised to those who use none of it gives way to those who hold less.

import type { BucketLimits } from './bucket.ts'
import type { Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { asOfMinute, type QuotaEvent, unsent } from './quota.ts'
import type { Quota } from './quota-state.ts'

/** What one asker may hold promised and not sent is this part of the month's bytes; or one file, where that is more. */
const ASKER_PART = 1 / 8
/** A node counts ahead at most this part of what is still free. */
const AHEAD_PART = 1 / 16

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
    const state = asOfMinute(before, nowMs)
    if (state.downloads.has(fresh.download)) return []
    const { by, ...data } = fresh
    const { bytes } = data
    const own = by === null ? 0 : (state.askers.get(by) ?? 0)
    const part = limits.monthlyDownloadBytes * ASKER_PART
    const over = overBy(state, bytes, limits)
    // One large file is a promise like any other where there is no room.
    const givesUp = own > 0 && own + bytes > part && (own <= part || over <= 0)
    const askers = givesUp
      ? [by, ...givingWay(state, { over: over - own, bytes, holding: bytes, except: by }, limits)]
      : givingWay(state, { over, bytes, holding: own + bytes, except: by }, limits)
    return [...dropping(askers), { type: 'DownloadBegun', data: by === null ? data : { ...data, by } }]
  }
}

/**
 * Counts bytes that are about to be sent, and up to `ahead` more for others. What was promised to the download is there
 * for it; beyond that there must be room. 422 `download_quota_exceeded`: then they must not be sent.
 */
export function sendDownload(
  { download, bytes, ahead }: { readonly download: string; readonly bytes: number; readonly ahead: number },
  limits: BucketLimits,
  nowMs: number,
): Decision<Quota, QuotaEvent> {
  return (before) => {
    if (bytes === 0) return []
    const state = asOfMinute(before, nowMs)
    const promise = state.downloads.get(download)
    const beyond = Math.max(0, bytes - (promise === undefined ? 0 : unsent(promise)))
    const over = overBy(state, beyond, limits)
    const keeping = { by: promise?.by ?? null, bytes: bytes - beyond }
    const want = { over, bytes: beyond, holding: beyond, except: null, keeping }
    const askers = beyond === 0 ? [] : givingWay(state, want, limits)
    const further = Math.min(ahead, Math.floor(-over * AHEAD_PART))
    return [
      ...dropping(askers),
      { type: 'DownloadMetered', data: { download, bytes } },
      ...(further > 0 ? [{ type: 'DownloadMetered', data: { download: null, bytes: further } } as const] : []),
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
export function cutDownload(
  { download, bytes, month }: { readonly download: string | null; readonly bytes: number; readonly month: string },
  nowMs: number,
): Decision<Quota, QuotaEvent> {
  return (before) => {
    if (bytes === 0) return []
    const isOver = asOfMinute(before, nowMs).month !== month
    return [{ type: 'DownloadCut', data: { download: isOver ? null : download, bytes, month } }]
  }
}

/** Which downloads bytes counted ahead went to. Those to which nothing is promised any more are left out. */
export function tellSent(sent: ReadonlyMap<string, number>): Decision<Quota, QuotaEvent> {
  return (state) => {
    const known = [...sent].filter(([download, bytes]) => bytes > 0 && state.downloads.has(download))
    const downloads = known.map(([download, bytes]) => ({ download, bytes }))
    return downloads.length === 0 ? [] : [{ type: 'DownloadsSent', data: { downloads } }]
  }
}

/** By how much more the month's bytes would be over the limit; below zero: so many would be free. */
const overBy = ({ sent, promised }: Quota, bytes: number, { monthlyDownloadBytes }: BucketLimits): number =>
  sent + promised + bytes - monthlyDownloadBytes

const dropping = (askers: readonly (string | null)[]): QuotaEvent[] => {
  const named = askers.filter((asker) => asker !== null)
  return named.length === 0 ? [] : [{ type: 'PromisesDropped', data: { askers: named } }]
}

interface Want {
  /** What there is too little room for; none up to zero. */
  readonly over: number
  readonly bytes: number
  /** What the caller would hold then. */
  readonly holding: number
  readonly except: string | null
  /** Of what is promised to one of them so much is used by this very download: it makes no room. */
  readonly keeping?: { readonly by: string | null; readonly bytes: number }
}

/**
 * Who gives way: the one who holds most, where that is more than `holding`. One suffices, or
 * the limit was lowered meanwhile.
 */
function givingWay(state: Quota, { over, bytes, holding, except, keeping }: Want, limits: BucketLimits): string[] {
  if (over <= 0) return []
  // Where what was sent leaves no room by itself, it need not be looked for.
  if (state.sent + bytes <= limits.monthlyDownloadBytes) {
    let most = holding
    let greatest: string | null = null
    for (const [asker, promised] of state.askers.entries()) {
      const held = asker === keeping?.by ? promised - keeping.bytes : promised
      if (held <= most || asker === except) continue
      most = held
      greatest = asker
    }
    if (greatest !== null && most >= over) return [greatest]
  }
  const detail = 'The bucket’s monthly_download_bytes are used up: wait for the next month, or raise the limit.'
  throw new Refusal('unprocessable', 'download_quota_exceeded', detail, { limit: 'monthly_download_bytes' })
}
