// Deleting files. What they held is freed after the file's own stream has said that they are gone: by the call,
// or after a crash by a process.

import { randomUUID } from 'node:crypto'
import { Refusal } from '../domain/decider.ts'
import { deleteFile, type FileDeletedData, type FileVersion, file, fileStream } from '../domain/file.ts'
import { CLEARED, quota, quotaStream } from '../domain/quota.ts'
import { beginDeletions, freeFiles } from '../domain/reserve.ts'
import { nothingThere } from '../domain/rules.ts'
import type { BucketPlace } from './bucket.ts'
import type { CommandContext, CommitPosition } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { partOf } from './part-of.ts'

/** A file by its folder's id and the key of its path. */
export interface FilePlace {
  readonly folder: string
  readonly key: string
}

/** A file that is to be cleared away, by a deletion of its own. */
export interface Doomed extends FilePlace {
  readonly deletion: string
  /** Only if this player owns it; null: any owner. */
  readonly creator: string | null
}

export function doomed({ folder, key }: FilePlace, creator: string | null = null): Doomed {
  return { folder, key, deletion: `${CLEARED}${randomUUID()}`, creator }
}

/** Deletes one file. 404 where it is not there, and whatever `admit` throws. */
export async function removeFile(
  deps: CommandDeps,
  place: BucketPlace,
  wanted: { readonly file: FilePlace; readonly admit: (present: FileVersion) => void },
  context: CommandContext,
) {
  const { folder, key } = wanted.file
  const deletion = context.generator.id('deletion')
  await begin(deps, place, [deletion], context)
  const about = { stream: fileStream(place.bucket, key), game: place.game }
  const handled = await deps.handler.handle(file, about, context, deleteFile(folder, deletion, wanted.admit))
  for (const event of handled.events) if (event.type === 'FileDeleted') await free(deps, place, [event.data], context)
  return handled
}

/**
 * Deletes files that nobody asked for; those that are not there any more are passed over.
 * Gives the last write, or null.
 */
export async function clearFiles(
  deps: CommandDeps,
  place: BucketPlace,
  files: readonly Doomed[],
  context: CommandContext,
): Promise<CommitPosition | null> {
  if (files.length === 0) return null
  const first = files[0]?.deletion ?? ''
  await begin(
    deps,
    place,
    files.map(({ deletion }) => deletion),
    partOf(context, first),
  )
  const cleared = await Promise.all(files.map((one) => clear(deps, place, one, context)))
  const gone = cleared.flatMap((one) => one ?? [])
  await free(
    deps,
    place,
    gone.map(({ data }) => data),
    partOf(context, first),
  )
  return gone.reduce<CommitPosition | null>((last, { written }) => laterOf(last, written), null)
}

async function clear(
  deps: CommandDeps,
  { bucket, game }: BucketPlace,
  { folder, key, deletion, creator }: Doomed,
  context: CommandContext,
): Promise<{ data: FileDeletedData; written: CommitPosition | null } | null> {
  const about = { stream: fileStream(bucket, key), game }
  const decision = deleteFile(folder, deletion, (present) => {
    if (creator !== null && present.creator !== creator) throw nothingThere()
  })
  try {
    const { events, written } = await deps.handler.handle(file, about, partOf(context, deletion), decision)
    const [event] = events
    return event?.type === 'FileDeleted' ? { data: event.data, written } : null
  } catch (why) {
    if (why instanceof Refusal && why.kind === 'not_found') return null
    throw why
  }
}

function laterOf(a: CommitPosition | null, b: CommitPosition | null): CommitPosition | null {
  if (a === null || b === null) return a ?? b
  return a.position > b.position ? a : b
}

function begin(
  deps: CommandDeps,
  { bucket, game }: BucketPlace,
  deletions: readonly string[],
  context: CommandContext,
) {
  const about = { stream: quotaStream(bucket), game }
  return deps.handler.handle(quota, about, partOf(context, 'begin deletions'), beginDeletions(deletions))
}

/** Frees what deleted files held; once only, however often it is called. */
export async function free(
  deps: CommandDeps,
  { bucket, game }: BucketPlace,
  deleted: readonly FileDeletedData[],
  context: CommandContext,
): Promise<void> {
  if (deleted.length === 0) return
  const files = deleted.map(({ deletion, creator, size }) => ({ deletion, owner: creator, bytes: size, files: 1 }))
  const about = { stream: quotaStream(bucket), game }
  await deps.handler.handle(quota, about, partOf(context, 'free'), freeFiles(files))
}
