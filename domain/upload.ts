// An upload: opened, its bytes stored, then completed or expired. The file's own stream decides whether a file exists.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { nothingThere } from './folder-rules.ts'
import { streamName } from './streams.ts'

export const uploadStream = (upload: string): string => streamName('upload-', upload)

/** How long after opening an upload can be completed. */
export const UPLOAD_LIFETIME_MS = 900_000

export type UploadOpenedData = {
  readonly bucket: string
  /** Encrypted in the log if a player began it; null once that player is deleted. */
  readonly path: string | null
  readonly size: number
  /** Encrypted like `path`. */
  readonly contentType: string | null
  /** Hex, lower case. */
  readonly sha256: string | null
  readonly blob: string
  /** The player who began it, and who alone may complete it; null for a caller without a player. */
  readonly player: string | null
  /** ISO 8601, UTC. */
  readonly expires: string
}

/** The file that the upload became. */
export type UploadCompletedData = {
  readonly file: string
  readonly creator: string | null
  readonly created: string
  readonly updated: string
}

export type UploadEvent =
  | { readonly type: 'UploadOpened'; readonly data: UploadOpenedData }
  | { readonly type: 'BytesStored'; readonly data: { readonly size: number; readonly sha256: string | null } }
  /** The store has other bytes than announced, and never overwrites a blob. */
  | { readonly type: 'BytesRefused'; readonly data: { readonly size: number; readonly sha256: string | null } }
  | { readonly type: 'UploadCompleted'; readonly data: UploadCompletedData }
  | { readonly type: 'UploadExpired'; readonly data: { readonly blob: string | null } }

export interface Upload extends UploadOpenedData {
  readonly isStored: boolean
  /** The stored bytes' size and hash, if they differ from what was announced. */
  readonly refused: { readonly size: number; readonly sha256: string | null } | null
  readonly completed: UploadCompletedData | null
}

/** An upload whose path is readable: its player was not deleted. */
export type NamedUpload = Upload & { readonly path: string; readonly contentType: string }

/** `gone`: expired, whether or not it was ever opened. */
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

/** Whether its link accepts bytes. */
export function isOpen(state: UploadState, nowMs: number): state is Upload {
  return isLive(state, nowMs) && !state.isStored && state.completed === null
}

/** Whether it is or can be completed. */
export function isLive(state: UploadState, nowMs: number): state is Upload {
  if (state === null || state === 'gone') return false
  return state.completed !== null || nowMs < Date.parse(state.expires)
}

/** 404 if the link is no longer valid. With `again`, records nothing if the bytes are already stored. */
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

/** Records the refused bytes of an open upload, so that they are not read from the store again. */
export function refuseBytes(
  stored: { readonly size: number; readonly sha256: string | null },
  nowMs: number,
): Decision<UploadState, UploadEvent> {
  return (state) => (isOpen(state, nowMs) && state.refused === null ? [{ type: 'BytesRefused', data: stored }] : [])
}

/** 400 `size_mismatch`, 422 `checksum_mismatch`. */
export function checkBytes(wanted: Upload, stored: { readonly size: number; readonly sha256: string | null }): void {
  if (stored.size !== wanted.size) {
    throw new Refusal(
      'malformed',
      'size_mismatch',
      `The upload was announced with ${wanted.size} bytes; ${stored.size} were sent.`,
    )
  }
  if (wanted.sha256 !== null && stored.sha256 !== null && stored.sha256 !== wanted.sha256) {
    throw new Refusal('unprocessable', 'checksum_mismatch', 'The bytes do not have the announced sha256.')
  }
}

export function completeUpload(data: UploadCompletedData): Decision<UploadState, UploadEvent> {
  return (state) => {
    if (state === null || state === 'gone') throw nothingThere()
    return state.completed === null ? [{ type: 'UploadCompleted', data }] : []
  }
}

/** `completeUpload` for a reaction: records nothing if there is no such upload. */
export function finishUpload(data: UploadCompletedData): Decision<UploadState, UploadEvent> {
  return (state) =>
    state === null || state === 'gone' || state.completed !== null ? [] : [{ type: 'UploadCompleted', data }]
}

/** Only after the file's stream has abandoned the upload. */
export const expireUpload: Decision<UploadState, UploadEvent> = (state) => {
  if (state === 'gone' || (state !== null && state.completed !== null)) return []
  return [{ type: 'UploadExpired', data: { blob: state?.blob ?? null } }]
}
