// Finds the contents of deleted folders and the files and folders of deleted players, for the reactions that remove
// them.

import { unsafeCast } from '../../domain/event.ts'
import type { QueryDeps } from '../deps.ts'
import type { FileDocument, FolderDocument } from './path-lookup.ts'

/** The first files in the folder with this id, by name. */
export async function filesUnder(deps: QueryDeps, folder: string, limit: number): Promise<FileDocument[]> {
  const find = { view: deps.viewKey('files'), collection: 'files', index: 'name', equal: [folder], limit }
  return (await deps.views.find(find)).map(({ body }) => unsafeCast<FileDocument>(body))
}

export async function foldersUnder(deps: QueryDeps, folder: string, limit: number): Promise<FolderDocument[]> {
  const find = { view: deps.viewKey('files'), collection: 'folders', index: 'name', equal: [folder], limit }
  return (await deps.views.find(find)).map(({ body }) => unsafeCast<FolderDocument>(body))
}

/** Folders that a player created and still owns, in any bucket: up to `limit`, by id, after the id `after`. */
export async function foldersBy(
  deps: QueryDeps,
  player: string,
  limit: number,
  after: string | null = null,
): Promise<{ readonly id: string; readonly folder: FolderDocument }[]> {
  const behind = after === null ? {} : { behind: { fields: [], id: after } }
  const find = {
    view: deps.viewKey('files'),
    collection: 'folders',
    index: 'creator',
    equal: [player],
    limit,
    ...behind,
  }
  return (await deps.views.find(find)).map(({ id, body }) => ({ id, folder: unsafeCast<FolderDocument>(body) }))
}

/** Up to `limit` files that a player created, in any bucket. */
export async function filesBy(deps: QueryDeps, player: string, limit: number): Promise<FileDocument[]> {
  const find = { view: deps.viewKey('files'), collection: 'files', index: 'creator', equal: [player], limit }
  return (await deps.views.find(find)).map(({ body }) => unsafeCast<FileDocument>(body))
}
