// Turns an upload whose bytes are stored into a file, or ends an expired one. The file's stream decides between the
// two, so that concurrent calls and nodes agree.

import { pathKey } from '../credentials/path-key.ts'
import type { BucketLimits } from '../domain/bucket.ts'
import { recordedAt, unsafeCast } from '../domain/event.ts'
import {
  abandonUpload,
  FileChanged,
  type FileEvent,
  type FileOverwrittenData,
  type FileStoredData,
  type FileVersion,
  file,
  fileStream,
  presentIn,
  type Replaced,
  storeFile,
} from '../domain/file.ts'
import { quota, quotaStream } from '../domain/quota.ts'
import type { Share } from '../domain/quota-state.ts'
import { confirmUpload, releaseUpload, settleUpload } from '../domain/reserve.ts'
import { completeUpload, expireUpload, finishUpload, type NamedUpload, upload, uploadStream } from '../domain/upload.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import type { BucketRef } from './bucket.ts'
import { type CommandContext, childContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { loadState } from './load-state.ts'
import { quotaShare } from './upload.ts'

const TRIES = 10

/** The target of an upload: the folder that is now at its path. */
interface Into {
  readonly folder: string
  readonly folderKey: string
  readonly limits: BucketLimits
  /** Gets the file that it would replace, or null; throws if the caller may not do this. */
  admit(present: FileVersion | null): void
}

interface Completed {
  readonly id: string
  readonly wanted: NamedUpload
  readonly into: Into
}

/**
 * Creates the file of an upload whose bytes are stored. Repeated calls give the same answer. 422 `quota_exceeded`, 422
 * `file_too_large` by the present limits; also throws what `admit` throws.
 */
export async function complete(deps: CommandDeps, ref: BucketRef, completed: Completed, context: CommandContext) {
  const { id } = completed
  const version = await store(deps, ref, completed, context)
  await settle(deps, ref, { upload: id, ...version }, context)
  const { creator, created, updated } = version.version
  const data = { file: version.version.id, creator, created, updated }
  const about = { stream: uploadStream(id), game: ref.game }
  const handled = await deps.handler.handle(upload, about, context, completeUpload(data))
  return handled
}

interface StoredVersion {
  readonly version: FileVersion
  readonly replaced: Replaced | null
}

async function store(
  deps: CommandDeps,
  ref: BucketRef,
  { id, wanted, into }: Completed,
  context: CommandContext,
): Promise<StoredVersion> {
  const { path, size, contentType, sha256, blob, player } = wanted
  const { folder, folderKey, limits, admit } = into
  const about = { stream: fileStream(ref.bucket, pathKey(deps.keys.digest, ref.bucket, path)), game: ref.game }
  const fresh = {
    id: context.generator.id('file'),
    path,
    folder,
    folderKey,
    size,
    contentType,
    sha256,
    blob,
    upload: id,
  }
  for (let attempt = 1; ; attempt++) {
    const at = await loadState(deps, file, about.stream)
    const present = presentIn(at, folder)
    if (!at.past.some((one) => one.upload === id)) {
      admit(present)
      const share = quotaShare(size, player, present)
      const quotaAbout = { stream: quotaStream(ref.bucket), game: ref.game }
      const confirmed = confirmUpload({ upload: id, size, ...share }, limits)
      await deps.handler.handle(quota, quotaAbout, childContext(context, `confirm ${attempt}`), confirmed)
    }
    try {
      const decision = storeFile({ ...fresh, creator: player }, at.current?.upload ?? null, admit)
      const handled = await deps.handler.handle(file, about, childContext(context, `store ${attempt}`), decision)
      const [event] = handled.events
      if (event === undefined) return await storedBefore(deps, about.stream, id)
      if (event.type !== 'FileStored' && event.type !== 'FileOverwritten')
        throw new Error(`${event.type} stores nothing`)
      return { version: handled.after.current as FileVersion, replaced: event.data.replaced }
    } catch (error) {
      if (!(error instanceof FileChanged) || attempt === TRIES) throw error
    }
  }
}

/** The version that an upload became, even if it has been replaced since. */
async function storedBefore(deps: CommandDeps, stream: string, id: string): Promise<StoredVersion> {
  let state = file.initial
  for await (const event of eventsFrom(deps.log, stream)) {
    const { data } = event
    state = file.evolve(state, unsafeCast<FileEvent>(event), recordedAt(event))
    if (data.upload !== id || state.current?.upload !== id) continue
    return { version: state.current, replaced: data.replaced as Replaced | null }
  }
  throw new Error(`${stream} never took upload ${id}`)
}

/** Replaces an upload's reservation by its file's quota. Idempotent. */
async function settle(
  deps: CommandDeps,
  { bucket, game }: BucketRef,
  { upload: id, version, replaced }: StoredVersion & { readonly upload: string },
  context: CommandContext,
): Promise<void> {
  const held = { owner: version.creator, bytes: version.size, files: 1 }
  const freed: Share | null = replaced === null ? null : { owner: replaced.creator, bytes: replaced.size, files: 1 }
  const about = { stream: quotaStream(bucket), game }
  await deps.handler.handle(quota, about, childContext(context, `settle ${id}`), settleUpload(id, held, freed))
}

/** Finishes the remaining steps of a call that stored a file. Idempotent. */
export async function finish(
  deps: CommandDeps,
  ref: BucketRef,
  {
    stream,
    stored: { upload: id },
  }: { readonly stream: string; readonly stored: FileStoredData | FileOverwrittenData },
  context: CommandContext,
): Promise<FileVersion> {
  const stored = await storedBefore(deps, stream, id)
  await settle(deps, ref, { upload: id, ...stored }, context)
  const { id: fileId, creator, created, updated } = stored.version
  const about = { stream: uploadStream(id), game: ref.game }
  const decision = finishUpload({ file: fileId, creator, created, updated })
  await deps.handler.handle(upload, about, childContext(context, 'complete'), decision)
  return stored.version
}

/** Abandons an upload on its file's stream; finishes it and returns true if it is already a file. */
async function isFinished(deps: CommandDeps, ref: BucketRef, id: string, path: string, context: CommandContext) {
  const { bucket, game } = ref
  const stream = fileStream(bucket, pathKey(deps.keys.digest, bucket, path))
  await deps.handler.handle(file, { stream, game }, childContext(context, 'abandon'), abandonUpload(id))
  // The upload can no longer be stored, so what the stream says about it now is final.
  for await (const { type, data } of eventsFrom(deps.log, stream)) {
    if (data.upload !== id || (type !== 'FileStored' && type !== 'FileOverwritten')) continue
    await finish(deps, ref, { stream, stored: unsafeCast<FileStoredData>(data) }, context)
    return true
  }
  return false
}

/** Ends an expired upload and frees its reservation; finishes it instead if it is already a file. */
export async function expire(deps: CommandDeps, ref: BucketRef, id: string, context: CommandContext): Promise<void> {
  const { bucket, game } = ref
  const state = await loadState(deps, upload, uploadStream(id))
  if (state !== null && state !== 'gone') {
    // A repeated call may have given it a later end than the reservation has.
    if (context.nowMs < Date.parse(state.expires)) return
    // Without a path, which means that its player was deleted, nobody can complete it.
    if (state.path !== null && (await isFinished(deps, ref, id, state.path, context))) return
  }
  await deps.handler.handle(upload, { stream: uploadStream(id), game }, childContext(context, 'expire'), expireUpload)
  const about = { stream: quotaStream(bucket), game }
  await deps.handler.handle(quota, about, childContext(context, 'release'), releaseUpload(id))
}
