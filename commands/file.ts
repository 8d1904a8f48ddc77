// Commands that delete files. Their quota is freed after the file's stream has recorded the deletion: by the call, or
// by a reaction after a crash.

import { randomUUID } from 'node:crypto'
import { Refusal } from '../domain/decider.ts'
import { deleteFile, type FileDeletedData, type FileVersion, file, fileStream } from '../domain/file.ts'
import { nothingThere } from '../domain/folder-rules.ts'
import { CLEARED, quota, quotaStream } from '../domain/quota.ts'
import { beginDeletions, freeFiles } from '../domain/reserve.ts'
import type { BucketRef } from './bucket.ts'
import { type CommandContext, type CommitPosition, childContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'

/** A file, by its folder's id and the key of its path. */
export interface FileRef {
  readonly folder: string
  readonly key: string
}

/** A file that a reaction deletes, with the deletion's id. */
export interface FileToClear extends FileRef {
  readonly deletion: string
  /** Delete only if this player created it; null: any creator. */
  readonly creator: string | null
}

export function fileToClear({ folder, key }: FileRef, creator: string | null = null): FileToClear {
  return { folder, key, deletion: `${CLEARED}${randomUUID()}`, creator }
}

/** Deletes one file. 404 if there is none; also throws what `admit` throws. */
export async function removeFile(
  deps: CommandDeps,
  ref: BucketRef,
  wanted: { readonly file: FileRef; readonly admit: (present: FileVersion) => void },
  context: CommandContext,
) {
  const { folder, key } = wanted.file
  const deletion = context.generator.id('deletion')
  await begin(deps, ref, [deletion], context)
  const about = { stream: fileStream(ref.bucket, key), game: ref.game }
  const handled = await deps.handler.handle(file, about, context, deleteFile(folder, deletion, wanted.admit))
  for (const event of handled.events) if (event.type === 'FileDeleted') await free(deps, ref, [event.data], context)
  return handled
}

/** Deletes files for a reaction; skips those that no longer exist. Returns the last write, or null. */
export async function clearFiles(
  deps: CommandDeps,
  ref: BucketRef,
  files: readonly FileToClear[],
  context: CommandContext,
): Promise<CommitPosition | null> {
  if (files.length === 0) return null
  const first = files[0]?.deletion ?? ''
  await begin(
    deps,
    ref,
    files.map(({ deletion }) => deletion),
    childContext(context, first),
  )
  const cleared = await Promise.all(files.map((one) => clear(deps, ref, one, context)))
  const gone = cleared.flatMap((one) => one ?? [])
  await free(
    deps,
    ref,
    gone.map(({ data }) => data),
    childContext(context, first),
  )
  return gone.reduce<CommitPosition | null>((last, { written }) => laterOf(last, written), null)
}

async function clear(
  deps: CommandDeps,
  { bucket, game }: BucketRef,
  { folder, key, deletion, creator }: FileToClear,
  context: CommandContext,
): Promise<{ data: FileDeletedData; written: CommitPosition | null } | null> {
  const about = { stream: fileStream(bucket, key), game }
  const decision = deleteFile(folder, deletion, (present) => {
    if (creator !== null && present.creator !== creator) throw nothingThere()
  })
  try {
    const { events, written } = await deps.handler.handle(file, about, childContext(context, deletion), decision)
    const [event] = events
    return event?.type === 'FileDeleted' ? { data: event.data, written } : null
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'not_found') return null
    throw error
  }
}

function laterOf(a: CommitPosition | null, b: CommitPosition | null): CommitPosition | null {
  if (a === null || b === null) return a ?? b
  return a.position > b.position ? a : b
}

function begin(deps: CommandDeps, { bucket, game }: BucketRef, deletions: readonly string[], context: CommandContext) {
  const about = { stream: quotaStream(bucket), game }
  return deps.handler.handle(quota, about, childContext(context, 'begin deletions'), beginDeletions(deletions))
}

/** Frees the quota of deleted files. Idempotent. */
export async function free(
  deps: CommandDeps,
  { bucket, game }: BucketRef,
  deleted: readonly FileDeletedData[],
  context: CommandContext,
): Promise<void> {
  if (deleted.length === 0) return
  const files = deleted.map(({ deletion, creator, size }) => ({ deletion, owner: creator, bytes: size, files: 1 }))
  const about = { stream: quotaStream(bucket), game }
  await deps.handler.handle(quota, about, childContext(context, 'free'), freeFiles(files))
}
