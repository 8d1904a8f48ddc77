// Routes to list, create and delete folders and to set their rules.

import { z } from 'zod'
import { makeFolder, removeFolder, setFolderRules } from '../../commands/folder.ts'
import { Refusal } from '../../domain/decider.ts'
import { alreadyExists, type Folder } from '../../domain/folder.ts'
import { admits, nothingThere, ROOT_RULES, rulesForNew } from '../../domain/folder-rules.ts'
import { folderOf, nameOf, ROOT_PATH } from '../../domain/paths.ts'
import { fileAnswer, folderAnswer, ruledFolderAnswer } from '../../queries/files/answers.ts'
import { listFolder } from '../../queries/files/list.ts'
import { fields, limit, offset, word } from '../fields.ts'
import { checkIfMatch, etagOf } from '../pipeline/etag.ts'
import { type Caller, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { anyFolder, openFolder, ownBucket, pathOf, visitorOf } from './file-access.ts'
import { folderShape, listingShape, ruledFolderShape, rulesShape } from './file-shapes.ts'
import { readCaller } from './read-caller.ts'
import { deletedShape } from './shapes.ts'

const folderPath = pathOf('folder')

const DELETED_PARENT = { id: '', key: '', rules: ROOT_RULES, childRules: null }

type Deps = Pick<RouteDeps, 'commands' | 'queries' | 'reads'>

export function folderRoutes(deps: Deps): Route[] {
  return [
    listFolderRoute(deps),
    createFolderRoute(deps),
    deleteFolderRoute(deps),
    getFolderRulesRoute(deps),
    setFolderRulesRoute(deps),
  ]
}

const listFolderRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/bkt/:bucket/ls/',
    summary: 'List the contents of a folder',
    needs: { permission: 'bkt:{bucket}:files' },
    tenantOnly: false,
    records: false,
    query: fields({ path: folderPath, limit, offset }),
    answers: { 200: listingShape },
    refusals: ['reads_busy'],
    async handle(call) {
      const { caller, params, query } = call
      const { id, game } = await ownBucket(deps, caller, params.bucket ?? '')
      const visitor = visitorOf(caller, id)
      const folder = await openFolder(deps, id, query.path, visitor)
      const { folders, files } = await listFolder(deps.queries, { folder, visitor }, query, {
        game,
        heavy: deps.reads.of(readCaller(call)),
      })
      const body = {
        path: query.path,
        folders: folders?.rows.map(folderAnswer) ?? null,
        folder_count: folders?.count ?? null,
        files: files?.rows.map(fileAnswer) ?? null,
        file_count: files?.count ?? null,
        offset: query.offset,
        limit: query.limit,
      }
      return { status: 200, body }
    },
  })

const createFolderRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/bkt/:bucket/dir/',
    summary: 'Create a folder',
    needs: { permission: 'bkt:{bucket}:files' },
    tenantOnly: false,
    records: true,
    body: fields({ path: folderPath }),
    answers: { 201: folderShape },
    refusals: ['already_exists'],
    async handle({ caller, params, body: { path }, context }) {
      const { id: bucket, game } = await ownBucket(deps, caller, params.bucket ?? '', context.repeated)
      // For a repeated call the parent may be deleted; the answer comes from the recorded result.
      const parent = context.repeated ? DELETED_PARENT : await parentFolder(deps, caller, bucket, path)
      const creator = caller.player
      const fresh = { path, parent, creator, rules: rulesForNew(parent) }
      const { after, written, replayed } = await makeFolder(deps.commands, { bucket, game }, fresh, context)
      const { created } = after as Folder
      return { status: 201, body: folderAnswer({ path, name: nameOf(path), creator, created }), written, replayed }
    },
  })

const deleteFolderRoute = (deps: Deps) =>
  route({
    method: 'DELETE',
    path: '/api/bkt/:bucket/dir/',
    summary: 'Delete a folder; with recursive=1 including its contents',
    needs: { permission: 'bkt:{bucket}:configure' },
    tenantOnly: true,
    records: true,
    query: fields({
      path: folderPath,
      recursive: word(['0', '1'])
        .default('0')
        .meta({ description: '1: with everything below it. 0: only if it is empty.' }),
    }),
    answers: { 200: deletedShape },
    refusals: ['folder_not_empty', 'root_folder'],
    async handle({ caller, params, query: { path, recursive }, context }) {
      if (context.repeated) return { status: 200, body: { deleted: path }, replayed: true }
      const { id: bucket, game } = await ownBucket(deps, caller, params.bucket ?? '')
      const { id, key, files, folders } = await anyFolder(deps, bucket, path)
      if (path === ROOT_PATH) {
        throw new Refusal(
          'unprocessable',
          'root_folder',
          'The root folder cannot be deleted. Delete the bucket instead.',
        )
      }
      if (recursive === '0' && files + folders > 0) {
        const detail = 'The folder is not empty. Send recursive=1 to delete it with its contents.'
        throw new Refusal('conflict', 'folder_not_empty', detail)
      }
      const { written, replayed } = await removeFolder(deps.commands, { bucket, game, folder: id, key }, context)
      return { status: 200, body: { deleted: path }, written, replayed }
    },
  })

const getFolderRulesRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/bkt/:bucket/dir/rules/',
    summary: 'Read a folder with its rules',
    needs: { permission: 'bkt:{bucket}:configure' },
    tenantOnly: true,
    records: false,
    query: fields({ path: folderPath }),
    answers: { 200: ruledFolderShape },
    async handle({ caller, params, query }) {
      const { id } = await ownBucket(deps, caller, params.bucket ?? '')
      const body = ruledFolderAnswer(await anyFolder(deps, id, query.path))
      return { status: 200, body, headers: { ETag: rulesTag(body) } }
    },
  })

const setFolderRulesRoute = (deps: Deps) =>
  route({
    method: 'PUT',
    path: '/api/bkt/:bucket/dir/rules/',
    summary: 'Set a folder’s rules',
    needs: { permission: 'bkt:{bucket}:configure' },
    tenantOnly: true,
    records: true,
    body: fields({
      path: folderPath,
      rules: rulesShape,
      child_rules: rulesShape.nullable(),
      apply_to_existing: z.boolean('must be true (also set the folders already below) or false').default(false),
    }),
    answers: { 200: ruledFolderShape },
    refusals: ['precondition_failed'],
    async handle({ caller, params, body, ifMatch, context }) {
      const { id: bucket, game } = await ownBucket(deps, caller, params.bucket ?? '', context.repeated)
      const folder = await anyFolder(deps, bucket, body.path)
      const seen = ruledFolderAnswer(folder)
      if (!context.repeated) checkIfMatch(ifMatch, rulesTag(seen))
      // Also refuse if another call changed the rules between this check and the decision.
      const expect = (revision: number) => checkIfMatch(ifMatch, revision === folder.revision ? rulesTag(seen) : '')
      const set = { rules: body.rules, childRules: body.child_rules, applyToExisting: body.apply_to_existing }
      const ref = { bucket, game, folder: folder.id, key: folder.key }
      const { written, replayed } = await setFolderRules(deps.commands, ref, { rules: set, expect }, context)
      const answer = ruledFolderAnswer({ ...folder, rules: body.rules, childRules: body.child_rules })
      return { status: 200, body: answer, headers: { ETag: rulesTag(answer) }, written, replayed }
    },
  })

/** The parent folder of a path, if its rule `mkdir` admits the caller. Otherwise 404. */
async function parentFolder(
  deps: Pick<RouteDeps, 'commands' | 'queries'>,
  caller: Caller,
  bucket: string,
  path: string,
) {
  const visitor = visitorOf(caller, bucket)
  if (path === ROOT_PATH) {
    await openFolder(deps, bucket, path, visitor)
    throw alreadyExists()
  }
  const folder = await anyFolder(deps, bucket, folderOf(path))
  if (!admits(folder.rules.mkdir, visitor, folder.creator)) throw nothingThere()
  return folder
}

/** ETag of the fields that a tenant sets. */
function rulesTag({ rules, child_rules }: ReturnType<typeof ruledFolderAnswer>): string {
  return etagOf({ rules, child_rules })
}
