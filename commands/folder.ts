// Commands that create and delete folders and set their rules.

import { pathKey } from '../credentials/path-key.ts'
import {
  createFolder,
  deleteFolder,
  type FolderRulesSetData,
  folder,
  folderStream,
  releaseFolder,
  setRules,
} from '../domain/folder.ts'
import type { FolderRules } from '../domain/folder-rules.ts'
import { ROOT_KEY } from '../domain/paths.ts'
import type { BucketRef } from './bucket.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'

/** A folder, by its id and the key of its path. */
export interface FolderRef extends BucketRef {
  readonly folder: string
  readonly key: string
}

export interface NewFolder {
  readonly path: string
  readonly parent: { readonly id: string; readonly key: string }
  readonly creator: string | null
  readonly rules: FolderRules
}

const about = ({ bucket, game }: BucketRef, key: string) => ({ stream: folderStream(bucket, key), game })

/** 409 `already_exists`. */
export function makeFolder(deps: CommandDeps, ref: BucketRef, fresh: NewFolder, context: CommandContext) {
  const { path, parent, creator, rules } = fresh
  const key = pathKey(deps.keys.digest, ref.bucket, path)
  const data = { id: context.generator.id('folder'), path, parent: parent.id, parentKey: parent.key, creator, rules }
  return deps.handler.handle(folder, about(ref, key), context, createFolder(data))
}

/** `expect` gets the revision that changed the folder last, and throws if the caller saw another one. */
export function setFolderRules(
  deps: CommandDeps,
  ref: FolderRef,
  change: { readonly rules: Omit<FolderRulesSetData, 'folder'>; readonly expect: (revision: number) => void },
  context: CommandContext,
) {
  const { rules, expect } = change
  const decision = setRules({ folder: ref.folder, ...rules }, ref.key === ROOT_KEY, expect)
  return deps.handler.handle(folder, about(ref, ref.key), context, decision)
}

/** For a folder whose creator was deleted and that contains files of others: it stays, without a creator. */
export function removeFolderCreator(deps: CommandDeps, ref: FolderRef, path: string, context: CommandContext) {
  return deps.handler.handle(folder, about(ref, ref.key), context, releaseFolder({ id: ref.folder, path }))
}

/** Everything below is gone at once; a reaction deletes its data. 404 if another folder is at the path. */
export function removeFolder(deps: CommandDeps, ref: FolderRef, context: CommandContext) {
  return deps.handler.handle(folder, about(ref, ref.key), context, deleteFolder(ref.folder))
}
