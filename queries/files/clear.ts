// What hangs under a folder that is gone, for the processes that clear it away.

import { shaped } from '../../domain/event.ts'
import type { QueryDeps } from '../deps.ts'
import type { FileDocument, FolderDocument } from './place.ts'

/** Files that name this folder's id, some of them; by name. */
export async function filesUnder(deps: QueryDeps, folder: string, limit: number): Promise<FileDocument[]> {
  const find = { view: deps.viewKey('files'), collection: 'files', index: 'name', equal: [folder], limit }
  return (await deps.views.find(find)).map(({ body }) => shaped<FileDocument>(body))
}

export async function foldersUnder(deps: QueryDeps, folder: string, limit: number): Promise<FolderDocument[]> {
  const find = { view: deps.viewKey('files'), collection: 'folders', index: 'name', equal: [folder], limit }
  return (await deps.views.find(find)).map(({ body }) => shaped<FolderDocument>(body))
}

/** Folders that a player made and that are still theirs, in whatever bucket, some of them; from after one, by id. */
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
  return (await deps.views.find(find)).map(({ id, body }) => ({ id, folder: shaped<FolderDocument>(body) }))
}

/** Files that a player made, in whatever bucket, some of them. */
export async function filesBy(deps: QueryDeps, player: string, limit: number): Promise<FileDocument[]> {
  const find = { view: deps.viewKey('files'), collection: 'files', index: 'creator', equal: [player], limit }
  return (await deps.views.find(find)).map(({ body }) => shaped<FileDocument>(body))
}
