// What is in a folder, by name, as far as its rules show it.

import { shaped } from '../../domain/event.ts'
import { admits, filesShown, type Visitor } from '../../domain/rules.ts'
import type { Document } from '../../stores/contract/views.ts'
import type { Page, Paging, QueryDeps } from '../deps.ts'
import type { FileDocument, FolderDocument } from './place.ts'

export interface Listed {
  /** Null where the visitor may not see the list. */
  readonly folders: Page<FolderDocument> | null
  readonly files: Page<FileDocument> | null
}

/**
 * O(offset + limit), whatever else the folder holds; a visitor's own files, where only they are shown, are counted one
 * by one.
 */
export async function listFolder(
  deps: Pick<QueryDeps, 'views' | 'viewKey'>,
  folder: FolderDocument,
  visitor: Visitor,
  { limit, offset }: Paging,
): Promise<Listed> {
  const view = deps.viewKey('files')
  const page = { skip: offset, limit }
  const inFolder = { view, collection: 'files', index: 'name', equal: [folder.id] }
  const own = { view, collection: 'files', index: 'own', equal: [folder.id, visitor.player ?? ''] }
  const below = { view, collection: 'folders', index: 'name', equal: [folder.id] }
  const shown = filesShown(folder, visitor)
  const seesFolders = admits(folder.rules.list_folders, visitor, folder.creator)
  const [folders, files, ownFiles] = await Promise.all([
    seesFolders ? deps.views.find({ ...below, ...page }) : null,
    shown === null ? null : deps.views.find({ ...(shown === 'own' ? own : inFolder), ...page }),
    shown === 'own' ? deps.views.count({ ...own, limit: Number.MAX_SAFE_INTEGER }) : 0,
  ])
  return {
    folders: folders && { rows: bodiesOf<FolderDocument>(folders), count: folder.folders },
    files: files && { rows: bodiesOf<FileDocument>(files), count: shown === 'own' ? ownFiles : folder.files },
  }
}

const bodiesOf = <Body>(documents: readonly Document[]): Body[] => documents.map(({ body }) => shaped<Body>(body))
