// A file. One stream per path guarantees one file per path. The bytes of each version have their own blob id.

import type { Aggregate, Decision } from './decider.ts'
import { nothingThere } from './folder-rules.ts'
import { streamName } from './streams.ts'

/** `key` is a keyed hash of the path. */
export const fileStream = (bucket: string, key: string): string => streamName('file-', bucket, key)

/** A version that was replaced or deleted: a reaction deletes its blob and frees its quota. */
export type Replaced = {
  readonly upload: string
  readonly blob: string
  readonly size: number
  readonly creator: string | null
}

/** Used if an upload names no content type, or if a file's own was erased with its player. */
export const DEFAULT_CONTENT_TYPE = 'application/octet-stream'

/** The content type that is answered. */
export const contentTypeOf = ({ contentType }: { readonly contentType: string | null }): string =>
  contentType ?? DEFAULT_CONTENT_TYPE

type Content = {
  readonly size: number
  /** Encrypted in the log if a player made the file; null once that player is deleted. */
  readonly contentType: string | null
  /** Hex, lower case; null if the uploader sent none. */
  readonly sha256: string | null
  readonly blob: string
  /** The upload that stored it. */
  readonly upload: string
}

type Location = {
  /** Encrypted in the log if a player made the file; null once that player is deleted. */
  readonly path: string | null
  /** Id and key of its folder. */
  readonly folder: string
  readonly folderKey: string
}

export type FileStoredData = Content &
  Location & {
    readonly id: string
    /** The player whose quota it uses; null for the tenant. */
    readonly creator: string | null
    /** The file of a deleted folder that was still at this path; null if there was none. */
    readonly replaced: Replaced | null
  }

export type FileOverwrittenData = Content & {
  readonly replaced: Replaced
}

export type FileDeletedData = Replaced & {
  readonly id: string
  readonly folder: string
  readonly folderKey: string
  /** Id under which its quota is freed once. */
  readonly deletion: string
}

export type FileEvent =
  | { readonly type: 'FileStored'; readonly data: FileStoredData }
  | { readonly type: 'FileOverwritten'; readonly data: FileOverwrittenData }
  | { readonly type: 'FileDeleted'; readonly data: FileDeletedData }
  /**
   * An upload that will never be stored here. It is decided on this stream, so that no concurrent call can store it.
   */
  | { readonly type: 'UploadAbandoned'; readonly data: { readonly upload: string } }

export type FileVersion = Content &
  Location & {
    readonly id: string
    readonly creator: string | null
    readonly created: string
    readonly updated: string
  }

interface PastUpload {
  readonly upload: string
  readonly time: string
  readonly isStored: boolean
}

/** The file at a path. This stream does not know whether the folder still exists. */
export interface FileAt {
  readonly current: FileVersion | null
  /** The results of the uploads of the last hours, oldest first. */
  readonly past: readonly PastUpload[]
}

/** Longer than the lifetime of an upload. */
const REMEMBERED_MS = 2 * 60 * 60 * 1000

export const file: Aggregate<FileAt, FileEvent> = {
  name: 'file',
  initial: { current: null, past: [] },
  evolve(state, event, { time }) {
    switch (event.type) {
      case 'FileStored': {
        const { replaced: _, ...stored } = event.data
        const current = { ...stored, created: time, updated: time }
        return { current, past: withPastUpload(state.past, event.data.upload, time, true) }
      }
      case 'FileOverwritten': {
        if (state.current === null) return state
        const { replaced: _, ...content } = event.data
        const current = { ...state.current, ...content, updated: time }
        return { current, past: withPastUpload(state.past, event.data.upload, time, true) }
      }
      case 'FileDeleted':
        return { ...state, current: null }
      case 'UploadAbandoned':
        return { ...state, past: withPastUpload(state.past, event.data.upload, time, false) }
      default:
        return state
    }
  },
}

function withPastUpload(
  past: readonly PastUpload[],
  upload: string,
  time: string,
  isStored: boolean,
): readonly PastUpload[] {
  const since = Date.parse(time) - REMEMBERED_MS
  return [...past.filter((one) => Date.parse(one.time) >= since), { upload, time, isStored }]
}

/** The file if it belongs to this folder; null if it belongs to an earlier folder of the same path. */
export function presentIn(state: FileAt, folder: string): FileVersion | null {
  return state.current?.folder === folder ? state.current : null
}

/** Another version is at the path than the caller expected: read it and decide again. */
export class FileChanged extends Error {}

type FreshFile = Content & Location & { readonly id: string; readonly creator: string | null }

/**
 * Stores a new file, or a new version of the present one. `admit` gets the present version and throws if the caller may
 * not do this. Throws FileChanged unless upload `expectedUpload` (null: none) stored the version at the path. An upload
 * is stored once; an abandoned one gives 404.
 */
export function storeFile(
  fresh: FreshFile,
  expectedUpload: string | null,
  admit: (present: FileVersion | null) => void,
): Decision<FileAt, FileEvent> {
  return (state) => {
    const past = state.past.find(({ upload }) => upload === fresh.upload)
    if (past?.isStored === true) return []
    if (past !== undefined) throw nothingThere()
    const before = state.current
    if ((before?.upload ?? null) !== expectedUpload) throw new FileChanged('another version is at the path')
    const present = presentIn(state, fresh.folder)
    admit(present)
    if (present === null) {
      const replaced = before === null ? null : replacedOf(before)
      return [{ type: 'FileStored', data: { ...fresh, replaced } }]
    }
    const { size, contentType, sha256, blob, upload } = fresh
    return [
      { type: 'FileOverwritten', data: { size, contentType, sha256, blob, upload, replaced: replacedOf(present) } },
    ]
  }
}

/** Deletes the file in a folder; `admit` throws if the caller may not do this. 404 if there is no file. */
export function deleteFile(
  folder: string,
  deletion: string,
  admit: (present: FileVersion) => void,
): Decision<FileAt, FileEvent> {
  return (state) => {
    const present = presentIn(state, folder)
    if (present === null) throw nothingThere()
    admit(present)
    const { id, folderKey } = present
    return [{ type: 'FileDeleted', data: { ...replacedOf(present), id, folder, folderKey, deletion } }]
  }
}

/** After this the upload cannot be stored here. Records nothing if it already was. */
export function abandonUpload(upload: string): Decision<FileAt, FileEvent> {
  return (state) =>
    state.past.some((one) => one.upload === upload) ? [] : [{ type: 'UploadAbandoned', data: { upload } }]
}

function replacedOf({ upload, blob, size, creator }: FileVersion): Replaced {
  return { upload, blob, size, creator }
}
