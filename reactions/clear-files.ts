// Deletes the files of a deleted folder, bucket or player one by one, which frees their quota and lets their blobs be
// swept. Subfolders of a deleted folder are deleted too, and then handled in turn.

import type { BucketRef } from '../commands/bucket.ts'
import type { CommitPosition } from '../commands/command-context.ts'
import { clearFiles, fileToClear } from '../commands/file.ts'
import { fold, unfolded } from '../commands/fold.ts'
import { removeFolder } from '../commands/folder.ts'
import { Refusal } from '../domain/decider.ts'
import type { Position, StoredEvent } from '../domain/event.ts'
import { folder } from '../domain/folder.ts'
import { idsIn } from '../domain/streams.ts'
import { filesBy, filesUnder, foldersUnder } from '../queries/files/clear.ts'
import { folderAt } from '../queries/files/path-lookup.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import { type DeletedPlayer, onPlayerDeleted, ownContext, type Reaction, type ReactionDeps } from './reaction.ts'
import { waitForAge, waitForViews } from './wait.ts'

const PAGE_SIZE = 200

export function clearFolders(deps: ReactionDeps): Reaction {
  return {
    name: 'clear_folders',
    takes: ['FolderDeleted', 'FolderCreated', 'BucketDeleted'],
    async react(event, signal) {
      const { game } = event.meta
      const [bucket] = idsIn(event.stream)
      if (game === null) return
      const ref = { bucket, game }
      const gone = await deletedFolderOf(deps, event, bucket)
      if (gone === null) return
      let last: CommitPosition | null = { game, position: event.position }
      while (last !== null && (await waitForViews(deps, last, signal))) last = await clearSome(deps, ref, gone)
    },
  }
}

/**
 * Id of the folder that an event deletes; null if none. FolderCreated replaces a folder of a deleted parent at the same
 * path whose contents were not cleared yet.
 */
async function deletedFolderOf({ commands }: ReactionDeps, event: StoredEvent, bucket: string): Promise<string | null> {
  const { type, data, stream, revision } = event
  // A bucket's root has the bucket's id.
  if (type === 'BucketDeleted') return bucket
  if (type === 'FolderDeleted') return String(data.id)
  let before = unfolded(folder)
  for await (const past of eventsFrom(commands.log, stream)) {
    if (past.revision >= revision) break
    before = fold(folder, before, past)
  }
  return before.state?.id ?? null
}

/** Null if nothing was left to clear. */
async function clearSome({ commands, queries, now }: ReactionDeps, ref: BucketRef, gone: string) {
  const files = await filesUnder(queries, gone, PAGE_SIZE)
  const all = files.map(({ key }) => fileToClear({ folder: gone, key }))
  let last = await clearFiles(commands, ref, all, ownContext(now()))
  for (const { id, key } of await foldersUnder(queries, gone, PAGE_SIZE)) {
    last = (await removeIfThere({ commands, now }, { ...ref, folder: id, key })) ?? last
  }
  return last
}

/** Null if it no longer exists. */
export async function removeIfThere(
  { commands, now }: Pick<ReactionDeps, 'commands' | 'now'>,
  ref: BucketRef & { readonly folder: string; readonly key: string },
): Promise<CommitPosition | null> {
  try {
    return (await removeFolder(commands, ref, ownContext(now()))).written
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'not_found') return null
    throw error
  }
}

/** Deletes folders that were created while their parent was being deleted. */
export function clearLostFolders(deps: ReactionDeps): Reaction {
  const { commands, queries, now } = deps
  return {
    name: 'clear_lost_folders',
    takes: ['FolderCreated'],
    async react(event, signal) {
      const { stream, data, meta, position } = event
      const [bucket, key] = idsIn(stream)
      const { game } = meta
      // After this wait it is known whether the parent was deleted at the same time.
      // Without a path the creator was deleted, and erase-files.ts removes the folder.
      if (game === null || data.path === null || !(await waitForAge(event, now, signal))) return
      if (!(await waitForViews(deps, { game, position }, signal))) return
      const present = await folderAt({ ...queries, digest: commands.keys.digest }, bucket, String(data.path))
      if (present === null) await removeIfThere(deps, { bucket, game, folder: String(data.id), key })
    },
  }
}

/** Not left to erase-files.ts, which waits before it begins, and may repeat one deletion while others wait. */
export function clearPlayers(deps: ReactionDeps): Reaction {
  return onPlayerDeleted('clear_players', (gone, signal) => clearFilesOf(deps, gone, signal))
}

/** Resolves when the views show no file of the player, or the signal aborts. */
export async function clearFilesOf(deps: ReactionDeps, gone: DeletedPlayer, signal: AbortSignal): Promise<void> {
  const { commands, queries, now } = deps
  const { game, player } = gone
  for (let at: Position | null = gone.position; at !== null && !signal.aborted; ) {
    if (!(await waitForViews(deps, { game, position: at }, signal))) return
    const files = await filesBy(queries, player, PAGE_SIZE)
    at = null
    for (const bucket of new Set(files.map((one) => one.bucket))) {
      const own = files.filter((one) => one.bucket === bucket)
      // Another player's file may be at the path by now.
      const all = own.map((one) => fileToClear(one, player))
      at = (await clearFiles(commands, { bucket, game }, all, ownContext(now())))?.position ?? at
    }
  }
}
