// A folder: one stream per path, so that no two have one path. It has an id, by which what is inside names it: what
// hangs under an id that is no longer there does not exist, so that one event takes a whole tree away.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { type FolderRules, nothingThere } from './rules.ts'
import { streamName } from './streams.ts'

/** `key` stands for the path: a keyed hash of it, or `root`. */
export const folderStream = (bucket: string, key: string): string => streamName('folder-', bucket, key)

export type FolderCreatedData = {
  readonly id: string
  /** Sealed in the log where a player made the folder; null once that player is deleted. */
  readonly path: string | null
  /** Id and key of the folder that holds it. */
  readonly parent: string
  readonly parentKey: string
  /** Null for the tenant. */
  readonly creator: string | null
  readonly rules: FolderRules
}

export type FolderRulesSetData = {
  readonly folder: string
  readonly rules: FolderRules
  /** What folders made inside begin with; null: a copy of `rules`. */
  readonly childRules: FolderRules | null
  /** Every folder that is below by now gets the child rules for its own. */
  readonly applyToExisting: boolean
}

/** Its creator was deleted, and it holds what others made: it keeps its path, in clear, and has no creator any more. */
export type FolderReleasedData = { readonly id: string; readonly path: string }

export type FolderEvent =
  | { readonly type: 'FolderCreated'; readonly data: FolderCreatedData }
  | { readonly type: 'FolderRulesSet'; readonly data: FolderRulesSetData }
  | { readonly type: 'FolderReleased'; readonly data: FolderReleasedData }
  | {
      readonly type: 'FolderDeleted'
      readonly data: { readonly id: string; readonly parent: string; readonly parentKey: string }
    }

/** What stands at a path. Whether its parent does is not known here. */
export interface Folder {
  readonly id: string
  /** Null for the root. */
  readonly parent: string | null
  readonly parentKey: string | null
  readonly creator: string | null
  readonly created: string
  readonly rules: FolderRules
  readonly childRules: FolderRules | null
  /** Of the last event that changed it. */
  readonly revision: number
}

/** The root has no FolderCreated: it is there with its bucket, whose id it has. */
export const folder: Aggregate<Folder | null, FolderEvent> = {
  name: 'folder',
  initial: null,
  evolve(state, event, moment) {
    const { revision } = moment
    switch (event.type) {
      case 'FolderCreated': {
        const { id, parent, parentKey, creator, rules } = event.data
        return { id, parent, parentKey, creator, created: moment.time, rules, childRules: null, revision }
      }
      case 'FolderRulesSet': {
        const { folder: id, rules, childRules } = event.data
        const present = state ?? { ...ROOT, id, created: moment.time }
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

/**
 * 409 `already_exists` where a folder of the same parent stands at the path; one of a parent that is gone is not there.
 */
export function createFolder(data: FolderCreatedData): Decision<Folder | null, FolderEvent> {
  return (state) => {
    if (state !== null && state.parent === data.parent) throw alreadyExists()
    return [{ type: 'FolderCreated', data }]
  }
}

/**
 * `expect` refuses where the folder is not as the caller last saw it, by the revision that changed it last (-1: a root
 * whose rules were never set). Recorded
 * also where the folder has these rules already: one above may have given it others since.
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

/** 404 where another folder, or none, stands at the path. */
export function deleteFolder(id: string): Decision<Folder | null, FolderEvent> {
  return (state) => {
    if (state === null || state.id !== id || state.parent === null) throw nothingThere()
    const { parent, parentKey } = state
    return [{ type: 'FolderDeleted', data: { id, parent, parentKey: parentKey ?? '' } }]
  }
}

/** Records nothing if another folder, or none, is at the path, or if it was released before. */
export function releaseFolder(data: FolderReleasedData): Decision<Folder | null, FolderEvent> {
  return (state) => (state?.id === data.id && state.creator !== null ? [{ type: 'FolderReleased', data }] : [])
}

export function alreadyExists(): Refusal {
  return new Refusal('conflict', 'already_exists', 'A folder is at this path already.')
}
