// Simulated commands about files: upload by link, download and delete.

import type { CommandContext } from '../../../commands/command-context.ts'
import { refundUnsent, reserveBytes } from '../../../commands/download.ts'
import { bytesStored, linkState } from '../../../commands/upload.ts'
import { Refusal } from '../../../domain/decider.ts'
import { unsafeCast } from '../../../domain/event.ts'
import type { Random } from '../../random.ts'
import { folderOf } from '../model/files.ts'
import type { Model } from '../model/model.ts'
import { putBlob } from '../world/blobs.ts'
import type { Running } from '../world/node.ts'
import { callRoute } from '../world/routes.ts'
import { notLetIn } from './bearers.ts'
import { admits, bucketGone, FOLDERS, playerOf, visitor } from './buckets.ts'
import { type Bearer, type Known, type KnownUpload, type Ran, simCommand, type UploadArgs } from './command.ts'
import { generatorOf } from './sign-in.ts'

const PATHS = ['/', ...FOLDERS].flatMap((folder) => ['x', 'y'].map((name) => folder + name))
/** How often one of the first two paths is drawn, so that one file is overwritten, deleted and stored again. */
const FEW = 0.5
/** The last type is always refused. */
const SIZES = [0, 3, 7, 12, 20, 21]

export const beginUpload = simCommand<UploadArgs>({
  name: 'begin upload',
  weight: 16,
  generate(random, known) {
    const bucket = random.any(known.buckets)
    if (bucket === null) return null
    const as = visitor(random, known, bucket.game)
    const path = random.chance(FEW) ? random.pick(PATHS.slice(0, 2)) : random.pick(PATHS)
    return { bucket: bucket.id, game: bucket.game, as, path, size: random.pick(SIZES) }
  },
  async run(node, args, context, known) {
    const { bucket, game, as, path, size } = args
    const call = { as, game, params: { bucket }, body: { path, size } }
    const { body, written, replayed } = await callRoute(node, 'POST /api/bkt/:bucket/upload/', call, context)
    const { upload_id: id } = unsafeCast<{ upload_id: string }>(body)
    known.uploads.push({ ...args, id, blob: context.generator.id('blob') })
    return { answer: { id }, written: written ?? null, replayed: replayed === true }
  },
  apply: (_model, _args, { type, meta }) =>
    type === 'UploadOpened' ? { id: generatorOf(meta.command).id('upload') } : undefined,
  verdict(model, args, at) {
    return [
      ...notLetIn(model, args.as, at),
      ...bucketGone(model, args.bucket),
      ...refusedAtPath(model, args),
      ...noRoom(model, args),
      ...(model.files.neverOpened.has(generatorOf(at.command).id('upload')) ? ['not_found'] : []),
    ]
  },
})

/** The codes with which storing at a path is refused by the rules of its folder, in one state. */
function refusedAtPath(model: Model, { bucket, path, as }: UploadArgs): string[] {
  const folder = model.files.folderAt(bucket, folderOf(path))
  if (folder === null) return ['not_found']
  const present = model.files.fileAt(bucket, path)
  const isFree = admits(folder, 'create', as, folder.creator)
  const isOwn = present === null || admits(folder, 'overwrite', as, present.creator)
  return isFree && isOwn ? [] : ['not_found']
}

/** The codes by the limits: for a new file, or for a new version, which counts for the owner of the present one. */
function noRoom(model: Model, { bucket, path, as, size }: UploadArgs): string[] {
  const quota = model.files.buckets.get(bucket)?.quota
  const present = model.files.fileAt(bucket, path)
  const share = { owner: playerOf(as), bytes: size, files: 1 }
  const ofOwner = { ...share, owner: present?.creator ?? share.owner }
  const isFull = quota !== undefined && !(quota.fits(share) && quota.fits(ofOwner))
  return [...(size > 20 ? ['file_too_large'] : []), ...(isFull ? ['quota_exceeded'] : [])]
}

const STRAYS = 0.15

/** How often an upload that waits for this step is drawn, if there is one. */
const IN_ORDER = 0.7

function anUpload(random: Random, known: Known, waits: (id: string) => boolean): KnownUpload | null {
  const waiting = random.chance(IN_ORDER) ? known.uploads.filter(({ id }) => waits(id)) : []
  return random.any(waiting.slice(-3)) ?? random.any(known.uploads.slice(-6))
}

/** `isStray`: the bytes are stored without a record in the log, as by a link that a store accepts for longer. */
export const sendBytes = simCommand<KnownUpload & { readonly isStray: boolean }>({
  name: 'send bytes',
  weight: 14,
  generate(random, known) {
    const isStray = random.chance(STRAYS)
    const upload = isStray ? random.any(known.uploads) : anUpload(random, known, (id) => !known.sent.has(id))
    return upload && { ...upload, isStray }
  },
  async run(node, { id, blob, size, isStray }, context, known) {
    // Like the local store's upload route: checks the upload, stores the bytes, and records them before it answers.
    if (!isStray && (await linkState(node.commands, id, context.nowMs)) !== 'open') throw dead()
    const stored = await putBlob(node, blob, `${context.command} ${size}`, size)
    if (isStray) throw dead()
    await bytesStored(node.commands, id, stored, unkeyed(context))
    known.sent.add(id)
    return { answer: { sent: id }, written: null, replayed: false }
  },
  apply: () => undefined,
  verdict(model, { id }) {
    const upload = model.files.uploads.get(id)
    return ['not_found', ...(upload?.isStored ? ['nothing'] : [])]
  },
})

const dead = () => new Refusal('not_found', 'not_found', 'There is nothing here.')
const unkeyed = (context: CommandContext): CommandContext => ({ ...context, call: null, repeated: false })

export const completeUpload = simCommand<KnownUpload>({
  name: 'complete upload',
  weight: 14,
  generate: (random, known) => anUpload(random, known, (id) => known.sent.has(id) && !known.completed.has(id)),
  async run(node, { id, bucket, game, as }, context, known) {
    const path = 'POST /api/bkt/:bucket/upload/:upload/complete/'
    const { body, written, replayed } = await callRoute(
      node,
      path,
      { as, game, params: { bucket, upload: id } },
      context,
    )
    known.completed.add(id)
    const { id: file, creator, created, updated } = unsafeCast<Record<string, string | null>>(body)
    const due = JSON.stringify({ id: file, creator, created, updated })
    const isIt = (model: Model) => JSON.stringify(model.files.uploads.get(id)?.became) === due
    const saw = [{ what: `upload ${id} became ${due}`, holds: isIt }]
    return { answer: { completed: id }, written: written ?? null, replayed: replayed === true, saw }
  },
  apply: (_model, { id }) => ({ completed: id }),
  verdict(model, args, at) {
    const upload = model.files.uploads.get(args.id)
    const isOver = upload === undefined || upload.isAbandoned || upload.end === 'expired'
    const isLive = !isOver && Date.parse(upload.expires) > at.nowMs
    const isThere = upload?.end === 'completed' || isLive
    return [
      ...notLetIn(model, args.as, at),
      ...bucketGone(model, args.bucket),
      ...(isThere ? [] : ['not_found']),
      ...(upload?.isStored ? [] : ['upload_incomplete']),
      ...(upload?.end === 'completed' ? ['nothing'] : [...refusedAtPath(model, args), ...noRoom(model, args)]),
    ]
  },
  // If the call that began the upload got no answer, the next one may be refused; the file is stored all the same.
  afterwards: [
    'not_found',
    'bucket_not_found',
    'quota_exceeded',
    'upload_incomplete',
    'token_rejected',
    'player_banned',
  ],
})

interface AFile {
  readonly bucket: string
  readonly game: string
  readonly as: Bearer | 'tenant'
  readonly path: string
}

function aFile(random: Random, known: Known): AFile | null {
  const upload = random.any(known.uploads)
  if (upload === null) return null
  const { bucket, game, path } = upload
  return { bucket, game, path, as: visitor(random, known, game) }
}

/** The codes with which reading a file is refused, in one state. */
function noFile(model: Model, { bucket, path, as }: AFile, rule: string): string[] {
  const folder = model.files.folderAt(bucket, folderOf(path))
  const file = model.files.fileAt(bucket, path)
  return folder !== null && file !== null && admits(folder, rule, as, file.creator) ? [] : ['not_found']
}

export const deleteFile = simCommand<AFile>({
  name: 'delete file',
  weight: 6,
  generate: aFile,
  async run(node, { bucket, game, as, path }, context) {
    const call = { as, game, params: { bucket }, query: { path } }
    const { written, replayed } = await callRoute(node, 'DELETE /api/bkt/:bucket/file/', call, context)
    return { answer: { deleted: path }, written: written ?? null, replayed: replayed === true }
  },
  apply: (_model, { path }, { type }) => (type === 'FileDeleted' ? { deleted: path } : undefined),
  verdict(model, args, at) {
    return [...notLetIn(model, args.as, at), ...bucketGone(model, args.bucket), ...noFile(model, args, 'delete')]
  },
})

export const offerDownload = simCommand<AFile>({
  name: 'offer download',
  weight: 6,
  generate: aFile,
  async run(node, args, context, known): Promise<Ran> {
    const { bucket, game, as, path } = args
    // Every link is different: the call is not a command, so its answer is not stored.
    const call = { as, game, params: { bucket }, query: { path } }
    const { body } = await callRoute(node, 'GET /api/bkt/:bucket/download/', call, unkeyed(context))
    const { id, url, size } = unsafeCast<{ id: string; url: string; size: number }>(body)
    known.downloads.push({ bucket, game, url, size })
    const isIt = (model: Model) => model.files.fileAt(bucket, path)?.id === id
    return {
      answer: { file: id },
      written: null,
      replayed: false,
      saw: [{ what: `file ${id} is there`, ofViews: true, holds: isIt }],
    }
  },
  apply: () => undefined,
  verdict(model, args, at) {
    const quota = model.files.buckets.get(args.bucket)?.quota
    const isNear = quota !== undefined && quota.downloads.size > 0
    return [
      ...notLetIn(model, args.as, at),
      ...bucketGone(model, args.bucket),
      ...noFile(model, args, 'read'),
      ...(isNear ? ['download_quota_exceeded'] : []),
      'nothing',
    ]
  },
})

/**
 * All bytes are counted before the first is sent, and some are pre-reserved; a node that dies returns none of them. If
 * the client disconnects before the last byte, the rest is returned.
 */
export const fetchBytes = simCommand<
  Known['downloads'][number] & { readonly sent: number; readonly prereserved: number }
>({
  name: 'fetch bytes',
  weight: 5,
  generate(random, known) {
    const offered = random.any(known.downloads.slice(-4))
    const prereserved = random.below(4)
    return (
      offered && { ...offered, prereserved, sent: random.chance(0.4) ? random.below(offered.size + 1) : offered.size }
    )
  },
  async run(node: Running, { url, size, sent, prereserved }, context) {
    const [bucket = '', download = ''] = JSON.parse(url) as string[]
    const counted = await reserveBytes(node.commands, bucket, { download, bytes: size, prereserved }, unkeyed(context))
    const back = (of: string | null, bytes: number) =>
      refundUnsent(node.commands, bucket, { download: of, bytes, month: counted.month }, unkeyed(context))
    if (counted.prereserved > 0) await back(null, counted.prereserved)
    if (sent < size) await back(download, size - sent)
    const isCounted = (model: Model) => (model.files.buckets.get(bucket)?.quota.downloads.get(download) ?? 0) >= sent
    const saw = [{ what: `${sent} bytes of ${download} are counted`, holds: isCounted }]
    return { answer: { fetched: sent }, written: null, replayed: false, saw }
  },
  apply: () => undefined,
  verdict: () => ['nothing', 'download_quota_exceeded'],
})
