// Looks up a path: the folders from the root down, each of which must name its parent, the active rules of the last
// folder, and the file. All folders are read in one access, however deep the path.

import { pathKey } from '../../credentials/path-key.ts'
import { unsafeCast } from '../../domain/event.ts'
import type { FolderRules } from '../../domain/folder-rules.ts'
import { foldersTo } from '../../domain/paths.ts'
import type { QueryDeps } from '../deps.ts'

export interface FolderDocument {
  readonly bucket: string
  readonly key: string
  readonly id: string
  readonly parent: string | null
  readonly path: string
  readonly name: string
  readonly creator: string | null
  readonly created: string
  readonly rules: FolderRules
  readonly childRules: FolderRules | null
  /** Position at which its own rules were set. */
  readonly rulesAt: string
  /** The rules that it gave to all folders that were below it, and the position at which it did. */
  readonly given: FolderRules | null
  readonly givenAt: string | null
  readonly revision: number
  readonly files: number
  readonly folders: number
}

export interface FileDocument {
  readonly bucket: string
  readonly key: string
  readonly id: string
  readonly path: string
  readonly name: string
  readonly folder: string
  readonly folderKey: string
  readonly size: number
  readonly contentType: string | null
  readonly sha256: string | null
  readonly blob: string
  readonly creator: string | null
  readonly created: string
  readonly updated: string
}

export interface FilesDeps extends QueryDeps {
  /** The key for path hashes. */
  readonly digest: Uint8Array
}

/** The folder at a path, or the folder of the file at it, with its active rules; null if it does not exist. */
export async function folderAt(deps: FilesDeps, bucket: string, path: string): Promise<FolderDocument | null> {
  const ids = foldersTo(path).map((folder) => `${bucket}.${pathKey(deps.digest, bucket, folder)}`)
  const documents = await deps.views.get(deps.viewKey('files'), 'folders', ids)
  let above: FolderDocument | null = null
  let given: { readonly rules: FolderRules; readonly at: string } | null = null
  for (const document of documents) {
    if (document === null) return null
    const folder = unsafeCast<FolderDocument>(document.body)
    if (folder.parent !== (above?.id ?? null)) return null
    const isGiven: boolean = given !== null && given.at > folder.rulesAt
    above = isGiven && given !== null ? { ...folder, rules: given.rules, childRules: null } : folder
    if (folder.given !== null && folder.givenAt !== null && folder.givenAt > (given?.at ?? '')) {
      given = { rules: folder.given, at: folder.givenAt }
    }
  }
  return above
}

/** The file at a path in this folder, or null. */
export async function fileIn(deps: FilesDeps, folder: FolderDocument, path: string): Promise<FileDocument | null> {
  const id = `${folder.bucket}.${pathKey(deps.digest, folder.bucket, path)}`
  const [document] = await deps.views.get(deps.viewKey('files'), 'files', [id])
  const file = unsafeCast<FileDocument | undefined>(document?.body)
  return file?.folder === folder.id ? file : null
}

/**
 * The folder of a path and the file at it. Both are always read, so that refusing access takes the same time whether or
 * not the file exists.
 */
export async function fileAt(deps: FilesDeps, bucket: string, path: string) {
  const key = pathKey(deps.digest, bucket, path)
  const [folder, [document]] = await Promise.all([
    folderAt(deps, bucket, path),
    deps.views.get(deps.viewKey('files'), 'files', [`${bucket}.${key}`]),
  ])
  const file = unsafeCast<FileDocument | undefined>(document?.body)
  return { folder, file: file !== undefined && file.folder === folder?.id ? file : null }
}

/** Whether a player created a file in the folder with this id. */
export async function hasOwnFiles(deps: QueryDeps, folder: string, player: string): Promise<boolean> {
  const view = deps.viewKey('files')
  return (await deps.views.count({ view, collection: 'files', index: 'own', equal: [folder, player], limit: 1 })) > 0
}
