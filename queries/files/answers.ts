// Folders and files in API answers.

import { contentTypeOf } from '../../domain/file.ts'
import type { FolderRules } from '../../domain/folder-rules.ts'
import type { FileDocument, FolderDocument } from './path-lookup.ts'

export function folderAnswer({
  path,
  name,
  creator,
  created,
}: Pick<FolderDocument, 'path' | 'name' | 'creator' | 'created'>) {
  return { path, name, creator, created }
}

export function ruledFolderAnswer(folder: FolderDocument) {
  const { rules, childRules } = folder
  return { ...folderAnswer(folder), rules: rulesAnswer(rules), child_rules: childRules && rulesAnswer(childRules) }
}

/** Fields in the order of the API contract, whatever their stored order. */
function rulesAnswer({ list_folders, list_files, mkdir, create, read, overwrite, delete: remove }: FolderRules) {
  return { list_folders, list_files, mkdir, create, read, overwrite, delete: remove }
}

type Answered = Omit<FileDocument, 'bucket' | 'key' | 'folder' | 'folderKey' | 'blob' | 'contentType'> & {
  readonly contentType: string | null
}

export function fileAnswer({ id, path, name, size, contentType, sha256, creator, created, updated }: Answered) {
  return { id, path, name, size, content_type: contentTypeOf({ contentType }), sha256, creator, created, updated }
}
