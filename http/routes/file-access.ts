// What the routes of files have in common: the bucket in the path, who visits it, and folders and files that the
// visitor may know of. What is not there and what they may not touch answer alike.

import { z } from 'zod'
import { bucketNotFound } from '../../domain/bucket.ts'
import { type PathKind, pathFault } from '../../domain/paths.ts'
import { admits, isOpenTo, nothingThere, type Rule, type Visitor } from '../../domain/rules.ts'
import { type FoundBucket, findBucket } from '../../queries/bucket.ts'
import { type FilesDeps, type FolderDocument, fileAt, folderAt, hasOwnFiles } from '../../queries/files/place.ts'
import type { Caller } from '../route.ts'
import type { RouteDeps } from './deps.ts'

/** No folder’s id. */
const NO_FOLDER = ''

/** A path of a folder or of a file, in its one spelling. */
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

/** The bucket in the path, which must be of the caller's game. Else 404; a deleted one too, but for a repeated call. */
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

/** The folder at a path, where any of its rules admits the visitor to something. Else 404. */
export async function openFolder(
  deps: Pick<RouteDeps, 'commands' | 'queries'>,
  bucket: string,
  path: string,
  visitor: Visitor,
) {
  const folder = await folderAt(filesDeps(deps), bucket, path)
  if (folder !== null && isOpenTo(folder, visitor, false)) return folder
  // Asked also of no folder: else the time that a refusal takes would tell which folders stand.
  const { player } = visitor
  const hasOwn = player !== null && (await hasOwnFiles(deps.queries, folder?.id ?? NO_FOLDER, player))
  if (folder === null || !isOpenTo(folder, visitor, hasOwn)) throw nothingThere()
  return folder
}

/** The file at a path, where a rule admits the visitor to it. Else 404. */
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
