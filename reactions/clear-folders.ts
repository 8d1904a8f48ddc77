// Clears the contents of a deleted folder or bucket: deletes its files one by one, which frees their quota and lets
// their blobs be swept, and deletes subfolders, which this process then handles in turn.

import type { BucketRef } from '../commands/bucket.ts'
import type { CommitPosition } from '../commands/command-context.ts'
import { clearFiles, fileToClear } from '../commands/file.ts'
import { fold, unfolded } from '../commands/fold.ts'
import { removeFolder } from '../commands/folder.ts'
import { Refusal } from '../domain/decider.ts'
import type { StoredEvent } from '../domain/event.ts'
import { folder } from '../domain/folder.ts'
import { idsIn } from '../domain/streams.ts'
import { filesUnder, foldersUnder } from '../queries/files/clear.ts'
import { folderAt } from '../queries/files/path-lookup.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import { ownContext } from './own-context.ts'
import type { Process } from './process.ts'
import type { ProcessDeps } from './process-deps.ts'
import { waitForAge, waitForViews } from './wait.ts'

const PAGE_SIZE = 200

export function clearFolders(deps: ProcessDeps): Process {
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
async function deletedFolderOf({ commands }: ProcessDeps, event: StoredEvent, bucket: string): Promise<string | null> {
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
async function clearSome({ commands, queries, now }: ProcessDeps, ref: BucketRef, gone: string) {
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
  { commands, now }: Pick<ProcessDeps, 'commands' | 'now'>,
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
export function clearLostFolders(deps: ProcessDeps): Process {
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
