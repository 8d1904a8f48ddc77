// A file: one stream per path, so that no two have one path. Each version stores its bytes under a blob id of its own.

import type { Aggregate, Decision } from './decider.ts'
import { nothingThere } from './rules.ts'
import { streamName } from './streams.ts'

/** `key` stands for the path: a keyed hash of it. */
export const fileStream = (bucket: string, key: string): string => streamName('file-', bucket, key)

/** A version that is no longer the file's: its blob goes, and what it held is free. */
export type Replaced = {
  readonly upload: string
  readonly blob: string
  readonly size: number
  readonly creator: string | null
}

/** Of an upload that names none, and of a file whose own cannot be read any more. */
export const DEFAULT_CONTENT_TYPE = 'application/octet-stream'

/** As it is answered: the default where the text was erased with its player. */
export const contentTypeOf = ({ contentType }: { readonly contentType: string | null }): string =>
  contentType ?? DEFAULT_CONTENT_TYPE

type Content = {
  readonly size: number
  /** Sealed in the log where a player made the file; null once that player is deleted. */
  readonly contentType: string | null
  /** Hex, lower case; null where the uploader gave none. */
  readonly sha256: string | null
  readonly blob: string
  /** The upload that brought it. */
  readonly upload: string
}

type Location = {
  /** Sealed in the log where a player made the file; null once that player is deleted. */
  readonly path: string | null
  /** Id and key of the folder that holds it. */
  readonly folder: string
  readonly folderKey: string
}

export type FileStoredData = Content &
  Location & {
    readonly id: string
    /** Null for the tenant. It counts against the creator. */
    readonly creator: string | null
    /** What lay at this path in a folder that is gone, where it was not cleared away yet. */
    readonly replaced: Replaced | null
  }

export type FileOverwrittenData = Content & {
  readonly replaced: Replaced
}

export type FileDeletedData = Replaced & {
  readonly id: string
  readonly folder: string
  readonly folderKey: string
  /** By which what it held is freed once only. */
  readonly deletion: string
}

export type FileEvent =
  | { readonly type: 'FileStored'; readonly data: FileStoredData }
  | { readonly type: 'FileOverwritten'; readonly data: FileOverwrittenData }
  | { readonly type: 'FileDeleted'; readonly data: FileDeletedData }
  /** An upload that will never be stored here: decided on this stream, so that it cannot be stored meanwhile. */
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

/** What is at a path. Whether its folder still stands is not known here. */
export interface FileAt {
  readonly current: FileVersion | null
  /** What became of the uploads of the last hours, oldest first. */
  readonly past: readonly PastUpload[]
}

/** Longer than any upload takes from its beginning to its end. */
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

function withPastUpload(past: readonly PastUpload[], upload: string, time: string, isStored: boolean): readonly PastUpload[] {
  const since = Date.parse(time) - REMEMBERED_MS
  return [...past.filter((one) => Date.parse(one.time) >= since), { upload, time, isStored }]
}

/** The file as seen through this folder; a file that belongs to another folder of this path is not there. */
export function presentIn(state: FileAt, folder: string): FileVersion | null {
  return state.current?.folder === folder ? state.current : null
}

/** What lies at the path is not what was reckoned with: reckon again. */
export class FileChanged extends Error {}

type FreshFile = Content & Location & { readonly id: string; readonly creator: string | null }

/**
 * Stores a new file, or a new version of the one that stands: `admit` is asked which, and throws where that is not
 * allowed. Throws FileMoved unless the version there is that of upload `reckoned` (null: none). Once only for each
 * upload; 404 for one that was abandoned.
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
    if ((before?.upload ?? null) !== expectedUpload) throw new FileChanged('another version lies at the path by now')
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

/** Deletes the file that stands in a folder; `admit` throws where that is not allowed. 404 where none does. */
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

/** From now on the upload cannot be stored here, unless it was already: then nothing follows. */
export function abandonUpload(upload: string): Decision<FileAt, FileEvent> {
  return (state) =>
    state.past.some((one) => one.upload === upload) ? [] : [{ type: 'UploadAbandoned', data: { upload } }]
}

function replacedOf({ upload, blob, size, creator }: FileVersion): Replaced {
  return { upload, blob, size, creator }
}
