// From an upload whose bytes are there to a file, and the end of one that expires. Whether an upload becomes a file or
// never will is decided on the file's stream, so that it is one of the two, however many calls and nodes are at it.

import { pathKey } from '../credentials/path-key.ts'
import type { BucketLimits } from '../domain/bucket.ts'
import { momentOf, unsafeCast } from '../domain/event.ts'
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
import { childContext } from './child-context.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { loadState } from './load-state.ts'
import { quotaShare } from './upload.ts'

const TRIES = 10

/** Where it goes: the folder that stands at the path now. */
interface Into {
  readonly folder: string
  readonly folderKey: string
  readonly limits: BucketLimits
  /** Told which file it is a new version of, or null; throws where that is not allowed. */
  admit(present: FileVersion | null): void
}

interface Completed {
  readonly id: string
  readonly wanted: NamedUpload
  readonly into: Into
}

/**
 * Makes the file of an upload whose bytes are there. Answers the completed upload, the same however often it is called.
 * 422 `quota_exceeded`, 422 `file_too_large` by the limits as they are now, and whatever `admit` throws.
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

/** The version that an upload became, though another may stand by now. */
async function storedBefore(deps: CommandDeps, stream: string, id: string): Promise<StoredVersion> {
  let state = file.initial
  for await (const event of eventsFrom(deps.log, stream)) {
    const { data } = event
    state = file.evolve(state, unsafeCast<FileEvent>(event), momentOf(event))
    if (data.upload !== id || state.current?.upload !== id) continue
    return { version: state.current, replaced: data.replaced as Replaced | null }
  }
  throw new Error(`${stream} never took upload ${id}`)
}

/** Turns what was reserved for an upload into what its file holds. Once only, however often it is called. */
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

/** What a call that completed an upload did not come to. Harmless where it did. */
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

/** Abandons an upload on the stream of its file, or finishes it where it became a file before. */
async function isFinished(deps: CommandDeps, ref: BucketRef, id: string, path: string, context: CommandContext) {
  const { bucket, game } = ref
  const stream = fileStream(bucket, pathKey(deps.keys.digest, bucket, path))
  await deps.handler.handle(file, { stream, game }, childContext(context, 'abandon'), abandonUpload(id))
  // From here on it cannot be stored any more: what the stream says of it now is all it will ever say.
  for await (const { type, data } of eventsFrom(deps.log, stream)) {
    if (data.upload !== id || (type !== 'FileStored' && type !== 'FileOverwritten')) continue
    await finish(deps, ref, { stream, stored: unsafeCast<FileStoredData>(data) }, context)
    return true
  }
  return false
}

/**
 * Ends an upload whose time is over and frees what it reserved; one that became a file meanwhile is finished instead.
 */
export async function expire(deps: CommandDeps, ref: BucketRef, id: string, context: CommandContext): Promise<void> {
  const { bucket, game } = ref
  const state = await loadState(deps, upload, uploadStream(id))
  if (state !== null && state !== 'gone') {
    // Begun again by a repeated call, it has longer than its room was first reserved for.
    if (context.nowMs < Date.parse(state.expires)) return
    // Without a path nobody can complete it: its player was deleted.
    if (state.path !== null && (await isFinished(deps, ref, id, state.path, context))) return
  }
  await deps.handler.handle(upload, { stream: uploadStream(id), game }, childContext(context, 'expire'), expireUpload)
  const about = { stream: quotaStream(bucket), game }
  await deps.handler.handle(quota, about, childContext(context, 'release'), releaseUpload(id))
}
