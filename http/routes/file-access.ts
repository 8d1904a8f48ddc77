// Look-ups and access checks shared by the file routes. A missing and a forbidden folder or file get the same 404.

import { z } from 'zod'
import { bucketNotFound } from '../../domain/bucket.ts'
import { admits, isOpenTo, nothingThere, type Rule, type Visitor } from '../../domain/folder-rules.ts'
import { type PathKind, pathFault } from '../../domain/paths.ts'
import { type FoundBucket, findBucket } from '../../queries/bucket.ts'
import { type FilesDeps, type FolderDocument, fileAt, folderAt, hasOwnFiles } from '../../queries/files/path-lookup.ts'
import type { Caller } from '../route.ts'
import type { RouteDeps } from './deps.ts'

/** No folder’s id. */
const NO_FOLDER = ''

/** Schema of a folder or file path in canonical form. */
export function pathOf(kind: PathKind | 'either') {
  return z
    .string('must be a path, which is text')
    .superRefine((text, context) => {
      const fault = pathFault(text, kind)
      if (fault !== null) context.addIssue(fault)
    })
    .meta({
      description: 'Absolute; folders end in /. At most 1,024 bytes in UTF-8, 32 folders, 255 bytes a name; NFC.',
      examples: [kind === 'file' ? '/saves/slot-1.bin' : '/saves/'],
    })
}

/**
 * The bucket in the path, which must belong to the caller's game. Otherwise 404, also for a deleted one unless the call
 * is repeated.
 */
export async function ownBucket(
  deps: Pick<RouteDeps, 'queries'>,
  caller: Caller,
  id: string,
  repeated = false,
): Promise<FoundBucket> {
  const found = await findBucket(deps.queries, id, repeated)
  if (found === null || found.game !== caller.game) throw bucketNotFound()
  return found
}

export function visitorOf(caller: Caller, bucket: string): Visitor {
  return { isAdmin: caller.may(`bkt:${bucket}:admin`), player: caller.player }
}

export const filesDeps = ({ queries, commands }: Pick<RouteDeps, 'commands' | 'queries'>): FilesDeps => ({
  ...queries,
  digest: commands.keys.digest,
})

/** The folder at a path, whatever its rules. 404. */
export async function anyFolder(
  deps: Pick<RouteDeps, 'commands' | 'queries'>,
  bucket: string,
  path: string,
): Promise<FolderDocument> {
  const folder = await folderAt(filesDeps(deps), bucket, path)
  if (folder === null) throw nothingThere()
  return folder
}

/** The folder at a path, if any of its rules admits the visitor to something. Otherwise 404. */
export async function openFolder(
  deps: Pick<RouteDeps, 'commands' | 'queries'>,
  bucket: string,
  path: string,
  visitor: Visitor,
) {
  const folder = await folderAt(filesDeps(deps), bucket, path)
  if (folder !== null && isOpenTo(folder, visitor, false)) return folder
  // Queried even without a folder, so that the response time does not reveal which folders exist.
  const { player } = visitor
  const hasOwn = player !== null && (await hasOwnFiles(deps.queries, folder?.id ?? NO_FOLDER, player))
  if (folder === null || !isOpenTo(folder, visitor, hasOwn)) throw nothingThere()
  return folder
}

/** The file at a path, if the rule admits the visitor to it. Otherwise 404. */
export async function openFile(
  deps: Pick<RouteDeps, 'commands' | 'queries'>,
  { bucket, path }: { readonly bucket: string; readonly path: string },
  rule: Rule,
  visitor: Visitor,
) {
  const { folder, file } = await fileAt(filesDeps(deps), bucket, path)
  if (folder === null || file === null || !admits(folder.rules[rule], visitor, file.creator)) throw nothingThere()
  return { folder, file }
}
