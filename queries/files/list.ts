// The contents of a folder by name, as far as its rules show them to the caller.

import { unsafeCast } from '../../domain/event.ts'
import { admits, filesShown, type Visitor } from '../../domain/rules.ts'
import type { Document } from '../../stores/contract/views.ts'
import type { Page, Paging, QueryDeps } from '../deps.ts'
import { startAt, type Walk } from './offsets.ts'
import type { FileDocument, FolderDocument } from './path-lookup.ts'

export interface Listed {
  /** Null if the visitor may not see the list. */
  readonly folders: Page<FolderDocument> | null
  readonly files: Page<FileDocument> | null
}

/**
 * O(limit) if the folder has not changed since it was last listed up to there, else O(offset + limit), queued and in
 * time slices. If only the visitor's own files are shown, they are skipped and counted one by one.
 */
export async function listFolder(
  deps: Pick<QueryDeps, 'views' | 'viewKey'>,
  { folder, visitor }: { readonly folder: FolderDocument; readonly visitor: Visitor },
  { limit, offset }: Paging,
  walk: Walk,
): Promise<Listed> {
  const view = deps.viewKey('files')
  const named = async (collection: 'files' | 'folders') => {
    const start = await startAt(deps, folder, { collection, offset }, walk)
    return deps.views.find({ view, collection, index: 'name', equal: [folder.id], ...start, limit })
  }
  const own = { view, collection: 'files', index: 'own', equal: [folder.id, visitor.player ?? ''] }
  const shown = filesShown(folder, visitor)
  const seesFolders = admits(folder.rules.list_folders, visitor, folder.creator)
  const ofFiles = async () => {
    if (shown === null) return null
    return shown === 'own' ? deps.views.find({ ...own, skip: offset, limit }) : named('files')
  }
  const [folders, files, ownFiles] = await Promise.all([
    seesFolders ? named('folders') : null,
    ofFiles(),
    shown === 'own' ? deps.views.count({ ...own, limit: Number.MAX_SAFE_INTEGER }) : 0,
  ])
  return {
    folders: folders && { rows: bodiesOf<FolderDocument>(folders), count: folder.folders },
    files: files && { rows: bodiesOf<FileDocument>(files), count: shown === 'own' ? ownFiles : folder.files },
  }
}

const bodiesOf = <Body>(documents: readonly Document[]): Body[] => documents.map(({ body }) => unsafeCast<Body>(body))
