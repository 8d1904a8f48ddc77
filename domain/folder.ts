// A folder. One stream per path guarantees one folder per path. Files and folders inside name their parent by its id:
// whatever names a deleted parent does not exist, so one event deletes a whole tree.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { type FolderRules, nothingThere } from './folder-rules.ts'
import { streamName } from './streams.ts'

/** `key` is a keyed hash of the path, or `root`. */
export const folderStream = (bucket: string, key: string): string => streamName('folder-', bucket, key)

export type FolderCreatedData = {
  readonly id: string
  /** Encrypted in the log if a player made the folder; null once that player is deleted. */
  readonly path: string | null
  /** Id and key of its parent folder. */
  readonly parent: string
  readonly parentKey: string
  /** Null for the tenant. */
  readonly creator: string | null
  readonly rules: FolderRules
}

export type FolderRulesSetData = {
  readonly folder: string
  readonly rules: FolderRules
  /** The rules of folders created inside; null: the same as `rules`. */
  readonly childRules: FolderRules | null
  /** Whether every existing folder below gets the child rules. */
  readonly applyToExisting: boolean
}

/** Its creator was deleted, and it contains files of others: it keeps its path, unencrypted, and has no creator. */
export type FolderReleasedData = { readonly id: string; readonly path: string }

export type FolderEvent =
  | { readonly type: 'FolderCreated'; readonly data: FolderCreatedData }
  | { readonly type: 'FolderRulesSet'; readonly data: FolderRulesSetData }
  | { readonly type: 'FolderReleased'; readonly data: FolderReleasedData }
  | {
      readonly type: 'FolderDeleted'
      readonly data: { readonly id: string; readonly parent: string; readonly parentKey: string }
    }

/** The folder at a path. This stream does not know whether the parent still exists. */
export interface Folder {
  readonly id: string
  /** Null for the root. */
  readonly parent: string | null
  readonly parentKey: string | null
  readonly creator: string | null
  readonly created: string
  readonly rules: FolderRules
  readonly childRules: FolderRules | null
  /** Revision of the last event that changed it. */
  readonly revision: number
}

/** The root has no FolderCreated: it exists with its bucket and has the bucket's id. */
export const folder: Aggregate<Folder | null, FolderEvent> = {
  name: 'folder',
  initial: null,
  evolve(state, event, at) {
    const { revision } = at
    switch (event.type) {
      case 'FolderCreated': {
        const { id, parent, parentKey, creator, rules } = event.data
        return { id, parent, parentKey, creator, created: at.time, rules, childRules: null, revision }
      }
      case 'FolderRulesSet': {
        const { folder: id, rules, childRules } = event.data
        const present = state ?? { ...ROOT, id, created: at.time }
        return { ...present, rules, childRules, revision }
      }
      case 'FolderReleased':
        return state === null ? null : { ...state, creator: null, revision }
      case 'FolderDeleted':
        return null
      default:
        return state
    }
  },
}

const ROOT = { parent: null, parentKey: null, creator: null }

/** 409 `already_exists` if the same parent has a folder at the path. */
export function createFolder(data: FolderCreatedData): Decision<Folder | null, FolderEvent> {
  return (state) => {
    if (state !== null && state.parent === data.parent) throw alreadyExists()
    return [{ type: 'FolderCreated', data }]
  }
}

/**
 * `expect` gets the revision that changed the folder last (-1: a root whose rules were never set), and throws if the
 * caller saw another one. Recorded even if the rules are the same: a folder above may have set others since.
 */
export function setRules(
  data: FolderRulesSetData,
  isRoot: boolean,
  expect: (revision: number) => void,
): Decision<Folder | null, FolderEvent> {
  return (state) => {
    if (state === null ? !isRoot : state.id !== data.folder) throw nothingThere()
    expect(state?.revision ?? -1)
    return [{ type: 'FolderRulesSet', data }]
  }
}

/** 404 if the path has no folder, or another one. */
export function deleteFolder(id: string): Decision<Folder | null, FolderEvent> {
  return (state) => {
    if (state === null || state.id !== id || state.parent === null) throw nothingThere()
    const { parent, parentKey } = state
    return [{ type: 'FolderDeleted', data: { id, parent, parentKey: parentKey ?? '' } }]
  }
}

/** Records nothing if the path has no folder or another one, or if the folder has no creator. */
export function releaseFolder(data: FolderReleasedData): Decision<Folder | null, FolderEvent> {
  return (state) => (state?.id === data.id && state.creator !== null ? [{ type: 'FolderReleased', data }] : [])
}

export function alreadyExists(): Refusal {
  return new Refusal('conflict', 'already_exists', 'A folder with this path already exists.')
}
