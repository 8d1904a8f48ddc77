// The used and promised quota of a bucket. An upload reserves quota before its link is answered and keeps it until it
// is settled or released, so concurrent uploads cannot exceed a limit. Every entry has an id, so repeated calls change
// nothing.

import { Map as ImmutableMap } from 'immutable'
import { MAX_LEAD_MS } from './clock.ts'
import type { Aggregate } from './decider.ts'
import { type Promised, type Quota, readQuota, type Share, writeQuota } from './quota-state.ts'
import { streamName } from './streams.ts'

export const quotaStream = (bucket: string): string => streamName('quota-', bucket)

export type QuotaEvent =
  | { readonly type: 'UploadBegun'; readonly data: Share & { readonly upload: string; readonly expires: string } }
  /** The upload needs other quota than was reserved, because the file at its path has changed. */
  | { readonly type: 'UploadReassigned'; readonly data: Share & { readonly upload: string } }
  /** The upload became a file: the quota of the new version and of the replaced one. */
  | {
      readonly type: 'UploadSettled'
      readonly data: { readonly upload: string; readonly held: Share; readonly freed: Share | null }
    }
  | { readonly type: 'UploadReleased'; readonly data: { readonly upload: string } }
  | { readonly type: 'DeletionsBegun'; readonly data: { readonly deletions: readonly string[] } }
  | { readonly type: 'FilesFreed'; readonly data: { readonly files: readonly (Share & { deletion: string })[] } }
  | {
      readonly type: 'DownloadBegun'
      readonly data: {
        readonly download: string
        readonly bytes: number
        readonly expires: string
        /** Who requested the link, if promises are counted by asker. Absent in older events. */
        readonly by?: string
      }
    }
  /**
   * Recorded before the bytes are sent, so that a crash leaves none uncounted. `download` null: bytes that a node
   * pre-reserves.
   */
  | { readonly type: 'DownloadMetered'; readonly data: { readonly download: string | null; readonly bytes: number } }
  /** The downloads that received pre-reserved bytes: their promises shrink by as much. */
  | {
      readonly type: 'DownloadsSent'
      readonly data: { readonly downloads: readonly { readonly download: string; readonly bytes: number }[] }
    }
  /** Bytes that were metered in `month` (`2026-11`) and not sent. */
  | {
      readonly type: 'DownloadCut'
      readonly data: { readonly download: string | null; readonly bytes: number; readonly month: string }
    }
  /** These askers lose their promises, because others need the bytes. */
  | { readonly type: 'PromisesDropped'; readonly data: { readonly askers: readonly string[] } }

/**
 * A promise is kept this long after its link expires, because node clocks differ. Running downloads are already
 * counted.
 */
export const DOWNLOAD_HELD_MS = 10_000
const DELETION_HELD_MS = 24 * 60 * 60_000
/** How long, and how many, settled uploads and freed deletions are remembered: far more than delayed repeats need. */
const PAST_HELD_MS = 60 * 60_000
export const MAX_PAST = 10_000
/** Prefix of the ids of deletions by a reaction. No call repeats them, so they are not remembered once freed. */
export const CLEARED = 'cleared-'
const MINUTE_MS = 60_000

const EMPTY: Quota = {
  bytes: 0,
  files: 0,
  owners: ImmutableMap(),
  uploads: ImmutableMap(),
  deletions: ImmutableMap(),
  past: ImmutableMap(),
  downloads: ImmutableMap(),
  promised: 0,
  askers: ImmutableMap(),
  month: '',
  sent: 0,
  minute: 0,
}

export const quota: Aggregate<Quota, QuotaEvent> = {
  name: 'quota',
  initial: EMPTY,
  size: sizeOf,
  snapshot: { form: 4, write: writeQuota, read: readQuota },
  evolve(before, event, { time }) {
    const state = asOf(before, Date.parse(time))
    switch (event.type) {
      case 'UploadBegun': {
        const { upload, owner, bytes, files } = event.data
        const share = { owner, bytes, files }
        return { ...withShare(state, share), uploads: state.uploads.set(upload, share) }
      }
      case 'UploadReassigned': {
        const { upload, owner, bytes, files } = event.data
        const share = { owner, bytes, files }
        return { ...withShare(withoutReservation(state, upload), share), uploads: state.uploads.set(upload, share) }
      }
      case 'UploadSettled': {
        const { upload, held, freed } = event.data
        const settled = withShare(withoutReservation(state, upload), held)
        return {
          ...(freed === null ? settled : withShare(settled, negative(freed))),
          uploads: state.uploads.delete(upload),
          past: state.past.set(upload, Date.parse(time)),
        }
      }
      case 'UploadReleased':
        return { ...withoutReservation(state, event.data.upload), uploads: state.uploads.delete(event.data.upload) }
      case 'DeletionsBegun': {
        let { deletions } = state
        for (const deletion of event.data.deletions) deletions = deletions.set(deletion, Date.parse(time))
        return { ...state, deletions }
      }
      case 'FilesFreed': {
        let next = state
        for (const { deletion, ...share } of event.data.files) {
          const past = deletion.startsWith(CLEARED) ? next.past : next.past.set(deletion, Date.parse(time))
          next = { ...withShare(next, negative(share)), deletions: next.deletions.delete(deletion), past }
        }
        return next
      }
      case 'DownloadBegun': {
        const { download, bytes, expires, by = null } = event.data
        const promise = { bytes, sent: 0, expiresMs: Date.parse(expires), by }
        return { ...withPromised(state, by, bytes), downloads: state.downloads.set(download, promise) }
      }
      case 'DownloadMetered': {
        const { download, bytes } = event.data
        return withSent({ ...state, sent: state.sent + bytes }, download, bytes)
      }
      case 'DownloadsSent':
        return event.data.downloads.reduce((next, { download, bytes }) => withSent(next, download, bytes), state)
      case 'DownloadCut': {
        const { download, bytes, month } = event.data
        const sent = month === state.month ? state.sent - bytes : state.sent
        return withSent({ ...state, sent }, download, -bytes)
      }
      case 'PromisesDropped':
        return withoutPromises(state, new Set(event.data.askers))
      default:
        return state
    }
  },
}

function sizeOf({ owners, uploads, deletions, past, downloads, askers }: Quota): number {
  return askers.size + owners.size + uploads.size + deletions.size + past.size + downloads.size
}

/** Adds sent bytes to a download, which shrinks its promise; negative for bytes that were not sent. */
function withSent(state: Quota, download: string | null, bytes: number): Quota {
  const before = download === null ? undefined : state.downloads.get(download)
  if (download === null || before === undefined) return state
  const after = { ...before, sent: before.sent + bytes }
  const next = withPromised(state, before.by, unsent(after) - unsent(before))
  return { ...next, downloads: state.downloads.set(download, after) }
}

function withoutPromises(state: Quota, askers: ReadonlySet<string | null>): Quota {
  let next = state
  for (const [download, promise] of state.downloads.entries()) {
    if (!askers.has(promise.by)) continue
    next = { ...withPromised(next, promise.by, -unsent(promise)), downloads: next.downloads.delete(download) }
  }
  return next
}

/** Adds promised bytes, which may be negative, to the sum and to asker `by`. */
function withPromised(state: Quota, by: string | null, bytes: number): Quota {
  const next = { ...state, promised: state.promised + bytes }
  if (by === null) return next
  const held = (state.askers.get(by) ?? 0) + bytes
  return { ...next, askers: held === 0 ? state.askers.delete(by) : state.askers.set(by, held) }
}

export const unsent = ({ bytes, sent }: Promised): number => Math.max(0, bytes - sent)

const negative = ({ owner, bytes, files }: Share): Share => ({ owner, bytes: -bytes, files: -files })

function withShare(state: Quota, { owner, bytes, files }: Share): Quota {
  const next = { ...state, bytes: state.bytes + bytes, files: state.files + files }
  if (owner === null) return next
  const held = state.owners.get(owner) ?? { bytes: 0, files: 0 }
  const sum = { bytes: held.bytes + bytes, files: held.files + files }
  const isNothing = sum.bytes === 0 && sum.files === 0
  return { ...next, owners: isNothing ? state.owners.delete(owner) : state.owners.set(owner, sum) }
}

/** The state without an upload's reservation. */
export function withoutReservation(state: Quota, upload: string): Quota {
  const reserved = state.uploads.get(upload)
  return reserved === undefined ? state : withShare(state, negative(reserved))
}

/**
 * The state at a time: a new month starts at zero, and expired entries are removed once a minute. An earlier time than
 * that of the state is ignored if clocks of nodes differ by as much; a clock that was ahead by more would else keep its
 * month until it has passed.
 */
export function asOf(state: Quota, nowMs: number): Quota {
  const minute = Math.floor(nowMs / MINUTE_MS)
  if (minute <= state.minute && state.minute - minute <= MAX_LEAD_MS / MINUTE_MS) return state
  let { downloads, deletions } = state
  let next = state
  for (const [download, promise] of state.downloads.entries()) {
    if (promise.expiresMs + DOWNLOAD_HELD_MS >= nowMs) continue
    downloads = downloads.delete(download)
    next = withPromised(next, promise.by, -unsent(promise))
  }
  for (const [deletion, sinceMs] of state.deletions.entries()) {
    if (sinceMs + DELETION_HELD_MS < nowMs) deletions = deletions.delete(deletion)
  }
  const month = monthOf(nowMs)
  const past = recentOnly(state.past, nowMs)
  return { ...next, downloads, deletions, past, minute, month, sent: month === state.month ? state.sent : 0 }
}

const computedThisMinute = new WeakMap<Quota, Quota>()

/**
 * `asOf` for decisions, cached per state and minute, because many decisions may use one state. `evolve` must not use
 * it: a cached result depends on earlier calls, not on events alone.
 */
export function asOfThisMinute(state: Quota, nowMs: number): Quota {
  const known = computedThisMinute.get(state)
  if (known !== undefined && known.minute === Math.floor(nowMs / MINUTE_MS)) return known
  const found = asOf(state, nowMs)
  if (found !== state) computedThisMinute.set(state, found)
  return found
}

function recentOnly(past: ImmutableMap<string, number>, nowMs: number): ImmutableMap<string, number> {
  const oldestFirst = [...past.entries()].sort(([, a], [, b]) => a - b)
  const over = oldestFirst.filter(([, ms], at) => ms + PAST_HELD_MS < nowMs || at < oldestFirst.length - MAX_PAST)
  return over.reduce((kept, [id]) => kept.delete(id), past)
}

/** `2026-11` in UTC. */
export const monthOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 7)
