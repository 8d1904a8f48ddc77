// Routes to start and complete uploads. The bytes are sent to the link, not to these routes.

import { z } from 'zod'
import { complete } from '../../commands/finish-upload.ts'
import { begin, findBytes, findUpload } from '../../commands/upload.ts'
import { DEFAULT_CONTENT_TYPE } from '../../domain/file.ts'
import { admits, nothingThere, type Visitor } from '../../domain/folder-rules.ts'
import { nameOf } from '../../domain/paths.ts'
import { checkSize, checkSizeOfStore } from '../../domain/reserve.ts'
import { type NamedUpload, UPLOAD_LIFETIME_MS, type Upload, type UploadCompletedData } from '../../domain/upload.ts'
import { fileAnswer } from '../../queries/files/answers.ts'
import type { FolderDocument } from '../../queries/files/path-lookup.ts'
import { FilesFull } from '../../stores/contract/files.ts'
import { fields, nullAsLeftOut } from '../fields.ts'
import { storeFull } from '../files/deps.ts'
import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { anyFolder, ownBucket, pathOf, visitorOf } from './file-access.ts'
import { begunUploadShape, fileShape } from './file-shapes.ts'

const CONTENT_TYPE =
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:[ \t]*;[ \t]*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[ !#-[\]-~]*"))*$/
const WRONG_SIZE = 'must be the exact number of bytes, a whole number from 0'
const WRONG_TYPE = 'must be a media type such as image/png, of at most 255 characters'

const newUpload = fields({
  path: pathOf('file'),
  size: z.int(WRONG_SIZE).min(0, WRONG_SIZE),
  content_type: nullAsLeftOut(z.string(WRONG_TYPE).max(255, WRONG_TYPE).regex(CONTENT_TYPE, WRONG_TYPE))
    .transform((type) => type ?? DEFAULT_CONTENT_TYPE)
    .meta({ description: `Default: ${DEFAULT_CONTENT_TYPE}.` }),
  sha256: z
    .string('must be text')
    .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hex digits')
    .transform((text) => text.toLowerCase())
    .nullable()
    .default(null),
})

export function uploadRoutes(deps: Pick<RouteDeps, 'commands' | 'fileCommands' | 'queries'>): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/bkt/:bucket/upload/',
      summary: 'Start an upload',
      needs: { permission: 'bkt:{bucket}:files' },
      tenantOnly: false,
      records: true,
      body: newUpload,
      answers: { 201: begunUploadShape },
      refusals: ['file_too_large', 'quota_exceeded', 'store_full', 'files_off'],
      async handle({ caller, params, body, context }) {
        const { id: bucket, game, state } = await ownBucket(deps, caller, params.bucket ?? '', context.repeated)
        // For a repeated call the folder may be deleted; the answer comes from the upload that it opened.
        if (!context.repeated) {
          checkSize(body.size, state.limits)
          checkSizeOfStore(body.size, deps.fileCommands.files.largestBytes ?? Number.POSITIVE_INFINITY)
        }
        const folder = context.repeated ? null : await anyFolder(deps, bucket, body.path)
        const admit = folder === null ? refuse : admission(folder, visitorOf(caller, bucket))
        const { path, size, content_type: contentType, sha256 } = body
        const fresh = { path, folder: folder?.id ?? '', size, contentType, sha256, player: caller.player }
        const ref = { bucket, game }
        const opened = await begin(deps.fileCommands, ref, { fresh, limits: state.limits, admit }, context).catch(full)
        const { id, link, written, replayed } = opened
        const answer = { upload_id: id, method: link.method, url: link.url, headers: link.headers }
        return { status: 201, body: { ...answer, expires_in: UPLOAD_LIFETIME_MS / 1000 }, written, replayed }
      },
    }),
    route({
      method: 'POST',
      path: '/api/bkt/:bucket/upload/:upload/complete/',
      summary: 'Complete an upload after its bytes were sent',
      needs: { permission: 'bkt:{bucket}:files' },
      tenantOnly: false,
      records: true,
      answers: { 200: fileShape },
      refusals: ['upload_incomplete', 'checksum_mismatch', 'file_too_large', 'quota_exceeded', 'files_off'],
      async handle({ caller, params, context }) {
        const { id: bucket, game, state } = await ownBucket(deps, caller, params.bucket ?? '', context.repeated)
        const id = params.upload ?? ''
        const upload = await findUpload(deps.commands, bucket, id, context.nowMs)
        if (upload.player !== caller.player) throw nothingThere()
        if (upload.completed !== null) {
          return { status: 200, body: completedAnswer(upload, upload.completed), replayed: context.repeated }
        }
        await findBytes(deps.fileCommands, id, upload, context)
        const folder = await anyFolder(deps, bucket, upload.path)
        const admit = admission(folder, visitorOf(caller, bucket))
        const into = { folder: folder.id, folderKey: folder.key, limits: state.limits, admit }
        const handled = await complete(deps.commands, { bucket, game }, { id, wanted: upload, into }, context)
        const { completed } = handled.after as Upload
        const { written, replayed } = handled
        return { status: 200, body: completedAnswer(upload, completed as UploadCompletedData), written, replayed }
      },
    }),
  ]
}

function refuse(): never {
  throw nothingThere()
}

/** Checks rule `create` for a new file and `overwrite` for an existing one. Refuses with 404. */
function admission({ rules, creator }: FolderDocument, visitor: Visitor) {
  return (present: { readonly creator: string | null } | null): void => {
    const isAdmitted =
      present === null ? admits(rules.create, visitor, creator) : admits(rules.overwrite, visitor, present.creator)
    if (!isAdmitted) throw nothingThere()
  }
}

function completedAnswer(upload: NamedUpload, { file, creator, created, updated }: UploadCompletedData) {
  return fileAnswer({ ...upload, id: file, name: nameOf(upload.path), creator, created, updated })
}

function full(error: unknown): never {
  if (!(error instanceof FilesFull)) throw error
  throw storeFull('Nothing was reserved.')
}
