// Checks files after a history: every file is in an existing folder, counts for the right owner, and has its bytes; and
// no other bytes are stored.

import { findBucket } from '../../../queries/bucket.ts'
import { listFolder } from '../../../queries/files/list.ts'
import { fileIn, folderAt } from '../../../queries/files/path-lookup.ts'
import { FOLDERS } from '../callers/buckets.ts'
import type { ModelFile } from '../model/files.ts'
import type { Model } from '../model/model.ts'
import { KEYS, type Running } from '../world/node.ts'
import type { World } from '../world/world.ts'
import { same } from './same.ts'

const WHOLE = { limit: 10_000, offset: 0 }
const TENANT = { isAdmin: true, player: null }

export function checkFiles({ blobs: { lying } }: World, { files: model, gone }: Model): string[] {
  const defects: string[] = []
  const files = [...model.files.values()]
  for (const file of files) {
    const { bucket, path, creator, blob, size } = file
    if (model.fileAt(bucket, path) !== file) defects.push(`${path} of ${bucket} is in a folder that is gone`)
    if (creator !== null && gone.has(creator)) defects.push(`${path} of ${bucket} is of a deleted player`)
    if (lying.get(blob)?.size !== size) defects.push(`the bytes of ${path} of ${bucket} are not there`)
  }
  const owned = new Set(files.map(({ blob }) => blob))
  for (const blob of lying.keys()) if (!owned.has(blob)) defects.push(`blob ${blob} is nobody’s`)
  for (const [stream, folder] of model.folders)
    if (folder.parent !== null && !model.exists(folder)) defects.push(`${stream} hangs under a folder that is gone`)
  for (const [id, upload] of model.uploads) if (upload.end === null) defects.push(`upload ${id} has not come to an end`)
  for (const [bucket, { quota }] of model.buckets) {
    const own = files.filter((one) => one.bucket === bucket)
    const owners = new Set([...own, ...quota.held].map((one) => ('owner' in one ? one.owner : one.creator)))
    for (const owner of [undefined, ...owners]) {
      if (owner === null) continue
      const [is, due] = [quota.sum(owner), sumOf(own.filter(({ creator }) => owner === undefined || creator === owner))]
      if (!same(is, due))
        defects.push(
          `quota ${bucket} of ${owner ?? 'all'}: ${JSON.stringify(is)}, and the files ${JSON.stringify(due)}`,
        )
    }
    if (quota.reserved.size > 0) defects.push(`quota ${bucket} has room reserved for ${[...quota.reserved.keys()]}`)
  }
  return defects
}

function sumOf(files: readonly ModelFile[]) {
  return { bytes: files.reduce((sum, { size }) => sum + size, 0), files: files.length }
}

function factsOf({
  id,
  size,
  creator,
  created,
  updated,
  blob,
}: Omit<ModelFile, 'bucket' | 'path' | 'folder' | 'upload'>) {
  return { id, size, creator, created, updated, blob }
}

/** Compares every query on one node with the model. */
export async function checkFilesOn({ queries, name }: Running, { files: model }: Model): Promise<string[]> {
  const defects: string[] = []
  const deps = { ...queries, digest: KEYS.digest }
  const expect = (what: string, is: unknown, due: unknown) => {
    if (!same(is, due)) defects.push(`${what} on ${name} is ${JSON.stringify(is)} and should be ${JSON.stringify(due)}`)
  }
  for (const [bucket, { isDeleted, quota }] of model.buckets) {
    const found = await findBucket(queries, bucket)
    if (isDeleted) {
      expect(`deleted bucket ${bucket}`, found, null)
      continue
    }
    const own = [...model.files.values()].filter((one) => one.bucket === bucket)
    const counted = { ...sumOf(own), downloaded: quota.sent }
    expect(`bucket ${bucket}`, { bytes: found?.bytes, files: found?.files, downloaded: found?.downloaded }, counted)
    for (const path of ['/', ...FOLDERS]) {
      const [present, due] = [await folderAt(deps, bucket, path), model.folderAt(bucket, path)]
      expect(`folder ${path} of ${bucket}`, [present?.id, present?.rules], [due?.id, due?.rules])
      if (present === null || due === null) continue
      const { files, folders } = await listFolder(queries, { folder: present, visitor: TENANT }, WHOLE, {
        game: found?.game ?? '',
      })
      const inside = own.filter(({ folder }) => folder === due.id)
      const below = [...model.folders.values()].filter((one) => one.parent === due.id)
      const paths = (rows: readonly { readonly path: string | null; readonly isNameless?: boolean }[] = []) =>
        rows.map((one) => (one.isNameless === true ? null : one.path)).sort()
      expect(`files in ${path} of ${bucket}`, [paths(files?.rows), files?.count], [paths(inside), inside.length])
      expect(`folders in ${path} of ${bucket}`, [paths(folders?.rows), folders?.count], [paths(below), below.length])
      for (const file of inside) {
        const found = await fileIn(deps, present, file.path)
        expect(`file ${file.path} of ${bucket}`, found && factsOf(found), factsOf(file))
      }
    }
  }
  return defects
}
