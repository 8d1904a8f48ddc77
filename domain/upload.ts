// An upload, from the link to the file: opened, its bytes stored, then completed, or expired. It says what the file
// will be; whether there is a file, the file's own stream says.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { nothingThere } from './rules.ts'
import { streamName } from './streams.ts'

export const uploadStream = (upload: string): string => streamName('upload-', upload)

/** From the link to the last moment at which it can be completed. */
export const UPLOAD_LIFETIME_MS = 900_000

export type UploadOpenedData = {
  readonly bucket: string
  /** Sealed in the log where a player began it; null once that player is deleted. */
  readonly path: string | null
  readonly size: number
  /** As the path. */
  readonly contentType: string | null
  /** Hex, lower case. */
  readonly sha256: string | null
  readonly blob: string
  /** Who began it, and alone may complete it: a player, or null for a caller without one. */
  readonly player: string | null
  /** ISO 8601, UTC. */
  readonly expires: string
}

/** What the file became. */
export type UploadCompletedData = {
  readonly file: string
  readonly creator: string | null
  readonly created: string
  readonly updated: string
}

export type UploadEvent =
  | { readonly type: 'UploadOpened'; readonly data: UploadOpenedData }
  | { readonly type: 'BytesStored'; readonly data: { readonly size: number; readonly sha256: string | null } }
  /** The store holds other bytes than announced, permanently: it never overwrites a blob. */
  | { readonly type: 'BytesRefused'; readonly data: { readonly size: number; readonly sha256: string | null } }
  | { readonly type: 'UploadCompleted'; readonly data: UploadCompletedData }
  | { readonly type: 'UploadExpired'; readonly data: { readonly blob: string | null } }

export interface Upload extends UploadOpenedData {
  readonly isStored: boolean
  /** The stored bytes' size and hash, if they differ from what was announced. */
  readonly refused: { readonly size: number; readonly sha256: string | null } | null
  readonly completed: UploadCompletedData | null
}

/** One whose path can still be read: its player was not deleted. */
export type NamedUpload = Upload & { readonly path: string; readonly contentType: string }

/** `gone`: expired, or never opened and never to be. */
export const upload: Aggregate<Upload | 'gone' | null, UploadEvent> = {
  name: 'upload',
  initial: null,
  evolve(state, event) {
    if (event.type === 'UploadExpired') return 'gone'
    if (event.type === 'UploadOpened') return { ...event.data, isStored: false, refused: null, completed: null }
    if (state === null || state === 'gone') return state
    switch (event.type) {
      case 'BytesStored':
        return { ...state, isStored: true }
      case 'BytesRefused':
        return { ...state, refused: event.data }
      case 'UploadCompleted':
        return { ...state, completed: event.data }
      default:
        return state
    }
  },
}

type UploadState = Upload | 'gone' | null

export function openUpload(data: UploadOpenedData): Decision<UploadState, UploadEvent> {
  return (state) => {
    if (state === 'gone') throw nothingThere()
    return state === null ? [{ type: 'UploadOpened', data }] : []
  }
}

/** Whether its link takes bytes. */
export function isOpen(state: UploadState, nowMs: number): state is Upload {
  return isLive(state, nowMs) && !state.isStored && state.completed === null
}

/** Whether it can be completed, or was. */
export function isLive(state: UploadState, nowMs: number): state is Upload {
  if (state === null || state === 'gone') return false
  return state.completed !== null || nowMs < Date.parse(state.expires)
}

/** 404 where the link is dead; nothing follows where the bytes are stored already and `again` says that they may be. */
export function storeBytes(
  stored: { readonly size: number; readonly sha256: string | null },
  nowMs: number,
  again: boolean,
): Decision<UploadState, UploadEvent> {
  return (state) => {
    if (again && isLive(state, nowMs) && state.isStored) return []
    if (!isOpen(state, nowMs)) throw nothingThere()
    checkBytes(state, stored)
    return [{ type: 'BytesStored', data: stored }]
  }
}

/** Remembers what was refused of an upload that is open, so that the store's bytes are not read for it once more. */
export function refuseBytes(
  stored: { readonly size: number; readonly sha256: string | null },
  nowMs: number,
): Decision<UploadState, UploadEvent> {
  return (state) => (isOpen(state, nowMs) && state.refused === null ? [{ type: 'BytesRefused', data: stored }] : [])
}

/** 400 `size_mismatch`, 422 `checksum_mismatch`. */
export function checkBytes(wanted: Upload, stored: { readonly size: number; readonly sha256: string | null }): void {
  if (stored.size !== wanted.size) {
    throw new Refusal('malformed', 'size_mismatch', `The upload is of exactly ${wanted.size} bytes.`)
  }
  if (wanted.sha256 !== null && stored.sha256 !== null && stored.sha256 !== wanted.sha256) {
    throw new Refusal('unprocessable', 'checksum_mismatch', 'The bytes are not those of the sha256 given.')
  }
}

export function completeUpload(data: UploadCompletedData): Decision<UploadState, UploadEvent> {
  return (state) => {
    if (state === null || state === 'gone') throw nothingThere()
    return state.completed === null ? [{ type: 'UploadCompleted', data }] : []
  }
}

/** For who has no answer to give: nothing follows where there is no such upload. */
export function finishUpload(data: UploadCompletedData): Decision<UploadState, UploadEvent> {
  return (state) =>
    state === null || state === 'gone' || state.completed !== null ? [] : [{ type: 'UploadCompleted', data }]
}

/** Only once it is known that the file's stream will never take it. */
export const expireUpload: Decision<UploadState, UploadEvent> = (state) => {
  if (state === 'gone' || (state !== null && state.completed !== null)) return []
  return [{ type: 'UploadExpired', data: { blob: state?.blob ?? null } }]
}
