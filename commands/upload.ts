// Uploads: a link is made and quota reserved, the file store receives the bytes, and the upload is completed into a
// file. The file's stream decides; the call then updates quota and upload, or a reaction does after a crash
// (finish-upload.ts).

import { pathKey } from '../credentials/path-key.ts'
import type { BucketLimits } from '../domain/bucket.ts'
import { Refusal } from '../domain/decider.ts'
import { unsafeCast } from '../domain/event.ts'
import { contentTypeOf, type FileVersion, file, fileStream, presentIn } from '../domain/file.ts'
import { nothingThere } from '../domain/folder-rules.ts'
import { quota, quotaStream } from '../domain/quota.ts'
import type { Share } from '../domain/quota-state.ts'
import { beginUpload } from '../domain/reserve.ts'
import {
  checkBytes,
  isLive,
  isOpen,
  type NamedUpload,
  openUpload,
  refuseBytes,
  storeBytes,
  UPLOAD_LIFETIME_MS,
  type Upload,
  type UploadOpenedData,
  upload,
  uploadStream,
} from '../domain/upload.ts'
import { FilesFull, type Stored, type UploadLink } from '../stores/contract/files.ts'
import type { BucketRef } from './bucket.ts'
import { type CommandContext, type CommitPosition, childContext } from './command-context.ts'
import type { CommandDeps, FileCommandDeps } from './command-deps.ts'
import { gameOf, loadState } from './load-state.ts'

export interface NewUpload {
  readonly path: string
  /** Id of the folder that contains the path. */
  readonly folder: string
  readonly size: number
  readonly contentType: string
  readonly sha256: string | null
  readonly player: string | null
}

export interface BegunUpload {
  readonly id: string
  readonly link: UploadLink
  readonly expiresMs: number
  readonly written: CommitPosition | null
  readonly replayed: boolean
}

export interface WantedUpload {
  readonly fresh: NewUpload
  readonly limits: BucketLimits
  /** Gets the file that it would replace, or null; throws if the caller may not do this. */
  admit(present: FileVersion | null): void
}

/**
 * Makes a link for the bytes of a file. Rejects with FilesFull, 422 `file_too_large` or 422 `quota_exceeded`, and
 * reserves nothing then.
 */
export async function begin(
  deps: FileCommandDeps,
  ref: BucketRef,
  wanted: WantedUpload,
  context: CommandContext,
): Promise<BegunUpload> {
  const id = context.generator.id('upload')
  const about = { stream: uploadStream(id), game: ref.game, isNew: true }
  // A repeated call is answered from the upload's stream: the reservation may have been settled or released since.
  const now = context.call === null ? null : await loadState(deps, upload, about.stream)
  const before = now === 'gone' ? await openedAs(deps, about.stream) : now
  const reservation = before === null ? await reserved(deps, ref, wanted, context) : null
  const opened = reservation?.wanted ?? (before as UploadOpenedData)
  const { path, size, sha256, blob, player, expires } = opened
  const contentType = contentTypeOf(opened)
  const expiresMs = Date.parse(expires)
  const link = reservation?.link ?? (await deps.files.uploadLink(id, { blob, size, contentType, sha256 }, expiresMs))
  const data = { bucket: ref.bucket, path, size, contentType, sha256, blob, player, expires }
  const { written, replayed } = await deps.handler.handle(upload, about, context, openUpload(data))
  return { id, link, expiresMs, written, replayed }
}

/** The data that an upload was opened with, even if it expired since; null if it was never opened. */
async function openedAs({ log }: CommandDeps, stream: string): Promise<UploadOpenedData | null> {
  const [first] = await log.readStream(stream, 0, 1)
  return first?.type === 'UploadOpened' ? unsafeCast<UploadOpenedData>(first.data) : null
}

async function reserved(
  deps: FileCommandDeps,
  ref: BucketRef,
  { fresh, limits, admit }: WantedUpload,
  context: CommandContext,
) {
  const { path, folder, size, contentType, sha256, player } = fresh
  const id = context.generator.id('upload')
  const blob = context.generator.id('blob')
  const expiresMs = context.nowMs + UPLOAD_LIFETIME_MS
  const expires = new Date(expiresMs).toISOString()
  const at = await loadState(deps, file, fileStream(ref.bucket, pathKey(deps.keys.digest, ref.bucket, path)))
  const present = presentIn(at, folder)
  admit(present)
  const reservation = { upload: id, size, expires, ...quotaShare(size, player, present) }
  const about = { stream: quotaStream(ref.bucket), game: ref.game }
  // Before the reservation, so that a full store refuses first.
  const link = await deps.files
    .uploadLink(id, { blob, size, contentType, sha256 }, expiresMs)
    .catch(async (error: unknown) => {
      // An exceeded bucket limit is the better error, so it takes precedence.
      if (error instanceof FilesFull) beginUpload(reservation, limits)(await loadState(deps, quota, about.stream), -1)
      throw error
    })
  await deps.handler.handle(quota, about, childContext(context, 'begin'), beginUpload(reservation, limits))
  return { wanted: { path, size, contentType, sha256, blob, player, expires }, link }
}

/** The quota that an upload adds. A file counts against its creator, even when another player overwrites it. */
export function quotaShare(size: number, player: string | null, present: FileVersion | null): Share {
  if (present === null) return { owner: player, bytes: size, files: 1 }
  return { owner: present.creator, bytes: Math.max(0, size - present.size), files: 0 }
}

/** The present state of a bucket's upload. 404 if it is unknown or expired. */
export async function findUpload(deps: CommandDeps, bucket: string, id: string, nowMs: number): Promise<NamedUpload> {
  const state = await loadState(deps, upload, uploadStream(id))
  if (!isLive(state, nowMs) || state.bucket !== bucket || state.path === null) throw nothingThere()
  return { ...state, path: state.path, contentType: contentTypeOf(state) }
}

/**
 * What an upload's link does with bytes at `nowMs` (Unix milliseconds): `open` takes them, `stored` has them already,
 * and `gone` has none, because it expired or its file was deleted or overwritten since.
 */
export async function linkState(deps: CommandDeps, id: string, nowMs: number): Promise<'open' | 'stored' | 'gone'> {
  const state = await loadState(deps, upload, uploadStream(id))
  if (isOpen(state, nowMs)) return 'open'
  if (!isLive(state, nowMs)) return 'gone'
  if (state.completed === null) return 'stored'
  if (state.path === null) return 'gone'
  const at = fileStream(state.bucket, pathKey(deps.keys.digest, state.bucket, state.path))
  return (await loadState(deps, file, at)).current?.upload === id ? 'stored' : 'gone'
}

/**
 * Records durably that an upload's bytes are stored; call it before answering the upload. The link takes no other
 * bytes afterwards. If it throws 404 `not_found` (used, expired or completed), 400 `size_mismatch` or 422
 * `checksum_mismatch`, the bytes can be deleted. After 503 `log_unavailable` the outcome is unknown: keep the bytes;
 * completing or sending again is safe.
 */
export async function bytesStored(
  deps: CommandDeps,
  id: string,
  stored: Stored,
  context: CommandContext,
): Promise<void> {
  await recordBytes(deps, id, stored, false, context)
}

/**
 * Checks whether the bytes are stored: for a store that receives uploads itself, and after a crash. 409
 * `upload_incomplete`, 400 `size_mismatch`, 422 `checksum_mismatch`, 503 `files_off`. A refusal is recorded, because
 * the store may have to read all bytes to compute the checksum.
 */
export async function findBytes(
  deps: FileCommandDeps,
  id: string,
  state: Upload,
  context: CommandContext,
): Promise<void> {
  if (state.completed !== null) return
  await deps.files.checkUploads?.()
  if (state.isStored) return
  if (state.refused !== null) checkBytes(state, state.refused)
  const stored = await deps.files.stored(state.blob, state.sha256 !== null)
  if (stored === null) {
    const detail = 'The bytes have not been received yet. Send them to the upload’s link first.'
    throw new Refusal('conflict', 'upload_incomplete', detail)
  }
  try {
    checkBytes(state, stored)
  } catch (error) {
    const about = { stream: uploadStream(id), game: await gameOf(deps, uploadStream(id)) }
    const facts = { size: stored.size, sha256: stored.sha256 }
    await deps.handler.handle(upload, about, childContext(context, 'refused'), refuseBytes(facts, context.nowMs))
    throw error
  }
  await recordBytes(deps, id, stored, true, context)
}

async function recordBytes(
  deps: CommandDeps,
  id: string,
  { size, sha256 }: Stored,
  again: boolean,
  context: CommandContext,
) {
  const stream = uploadStream(id)
  const game = await gameOf(deps, stream)
  if (game === null) throw nothingThere()
  const decision = storeBytes({ size, sha256 }, context.nowMs, again)
  await deps.handler.handle(upload, { stream, game }, childContext(context, 'bytes'), decision)
}
