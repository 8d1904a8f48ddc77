// Routes to read, download and delete files, and to explain access to a path.

import { DOWNLOAD_LIFETIME_MS, offerDownload } from '../../commands/download.ts'
import { removeFile } from '../../commands/file.ts'
import { Refusal } from '../../domain/decider.ts'
import { admits, judge, nothingThere, REASON_TEXT, RULES } from '../../domain/folder-rules.ts'
import { fileAnswer } from '../../queries/files/answers.ts'
import { fileIn } from '../../queries/files/path-lookup.ts'
import { findPlayer } from '../../queries/player.ts'
import { fields, idText } from '../fields.ts'
import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { anyFolder, filesDeps, openFile, ownBucket, pathOf, visitorOf } from './file-access.ts'
import { downloadShape, explainedShape, fileShape } from './file-shapes.ts'
import { deletedShape } from './shapes.ts'

const filePath = pathOf('file')

type Deps = Pick<RouteDeps, 'commands' | 'fileCommands' | 'queries'>

export function fileRoutes(deps: Deps): Route[] {
  return [getFileRoute(deps), getDownloadLinkRoute(deps), deleteFileRoute(deps), explainAccessRoute(deps)]
}

const getFileRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/bkt/:bucket/file/',
    summary: 'Read a file’s details',
    needs: { permission: 'bkt:{bucket}:files' },
    tenantOnly: false,
    records: false,
    query: fields({ path: filePath }),
    answers: { 200: fileShape },
    async handle({ caller, params, query }) {
      const { id } = await ownBucket(deps, caller, params.bucket ?? '')
      const { file } = await openFile(deps, { bucket: id, path: query.path }, 'read', visitorOf(caller, id))
      return { status: 200, body: fileAnswer(file) }
    },
  })

const getDownloadLinkRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/bkt/:bucket/download/',
    summary: 'Get a link to a file’s bytes',
    needs: { permission: 'bkt:{bucket}:files' },
    tenantOnly: false,
    records: false,
    query: fields({ path: filePath }),
    answers: { 200: downloadShape },
    // A GET has no Idempotency-Key, but this one appends the reservation of the bytes, which fails as any append can.
    refusals: ['download_quota_exceeded', 'files_off', 'game_not_found', 'busy', 'log_unavailable', 'clock_behind'],
    async handle({ caller, params, query, context }) {
      const { id, game, state } = await ownBucket(deps, caller, params.bucket ?? '')
      const visitor = visitorOf(caller, id)
      const { file } = await openFile(deps, { bucket: id, path: query.path }, 'read', visitor)
      const asker = visitor.isAdmin ? null : (caller.player ?? context.actor)
      const { url } = await offerDownload(
        deps.fileCommands,
        { bucket: id, game },
        { file, limits: state.limits, asker },
        context,
      )
      return { status: 200, body: { ...fileAnswer(file), url, expires_in: DOWNLOAD_LIFETIME_MS / 1000 } }
    },
  })

const deleteFileRoute = (deps: Deps) =>
  route({
    method: 'DELETE',
    path: '/api/bkt/:bucket/file/',
    summary: 'Delete a file',
    needs: { permission: 'bkt:{bucket}:files' },
    tenantOnly: false,
    records: true,
    query: fields({ path: filePath }),
    answers: { 200: deletedShape },
    async handle({ caller, params, query: { path }, context }) {
      if (context.repeated) return { status: 200, body: { deleted: path }, replayed: true }
      const { id, game } = await ownBucket(deps, caller, params.bucket ?? '')
      const visitor = visitorOf(caller, id)
      const { folder, file } = await openFile(deps, { bucket: id, path }, 'delete', visitor)
      const admit = ({ creator }: { readonly creator: string | null }) => {
        if (!admits(folder.rules.delete, visitor, creator)) throw nothingThere()
      }
      const at = { folder: folder.id, key: file.key }
      const { written, replayed } = await removeFile(deps.commands, { bucket: id, game }, { file: at, admit }, context)
      return { status: 200, body: { deleted: path }, written, replayed }
    },
  })

const explainAccessRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/bkt/:bucket/explain/',
    summary: 'Explain which rules admit a player at a path, and why',
    needs: { permission: 'bkt:{bucket}:configure' },
    tenantOnly: true,
    records: false,
    query: fields({
      path: pathOf('either'),
      player: idText.optional().meta({ description: 'The id of a player. Default: a caller without a player.' }),
    }),
    answers: { 200: explainedShape },
    refusals: ['unknown_player'],
    async handle({ caller, params, query }) {
      const { id, game } = await ownBucket(deps, caller, params.bucket ?? '')
      const player = query.player ?? null
      if (player !== null) await checkPlayer(deps, game, player)
      const folder = await anyFolder(deps, id, query.path)
      const isFolder = query.path.endsWith('/')
      const file = isFolder ? null : await fileIn(filesDeps(deps), folder, query.path)
      const rules = RULES.map((rule) => {
        const level = folder.rules[rule]
        const isOfFile = rule === 'read' || rule === 'overwrite' || rule === 'delete'
        const creator = isOfFile ? (file?.creator ?? null) : folder.creator
        const { isAdmitted, reason } = judge(level, { isAdmin: false, player }, creator)
        const text = REASON_TEXT[reason]
        const isOpen = isOfFile && reason === 'not_creator' && file === null
        return { rule, level, admitted: isAdmitted, why: isOpen ? `${text}: no file is named` : text }
      })
      return {
        status: 200,
        body: { path: query.path, player, folder: folder.path, exists: isFolder || file !== null, rules },
      }
    },
  })

async function checkPlayer(deps: Pick<RouteDeps, 'queries'>, game: string, id: string): Promise<void> {
  const found = await findPlayer(deps.queries, id)
  if (found !== null && found.game === game) return
  throw new Refusal('unprocessable', 'unknown_player', 'There is no such player in this game.')
}
