// Clears the contents of a deleted folder or bucket: deletes its files one by one, which frees their quota and lets
// their blobs be swept, and deletes subfolders, which this process then handles in turn.

import type { BucketPlace } from '../commands/bucket.ts'
import type { CommitPosition } from '../commands/command-context.ts'
import { clearFiles, doomed } from '../commands/file.ts'
import { fold, unfolded } from '../commands/fold.ts'
import { removeFolder } from '../commands/folder.ts'
import { Refusal } from '../domain/decider.ts'
import type { StoredEvent } from '../domain/event.ts'
import { folder } from '../domain/folder.ts'
import { idsIn } from '../domain/streams.ts'
import { filesUnder, foldersUnder } from '../queries/files/clear.ts'
import { folderAt } from '../queries/files/place.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import { ownContext } from './own-context.ts'
import type { Process } from './process.ts'
import type { ProcessDeps } from './process-deps.ts'
import { untilOld, viewsHave } from './wait.ts'

const AT_ONCE = 200

export function clearFolders(deps: ProcessDeps): Process {
  return {
    name: 'clear_folders',
    takes: ['FolderDeleted', 'FolderCreated', 'BucketDeleted'],
    async react(event, signal) {
      const { game } = event.meta
      const [bucket] = idsIn(event.stream)
      if (game === null) return
      const place = { bucket, game }
      const gone = await goneBy(deps, event, bucket)
      if (gone === null) return
      let last: CommitPosition | null = { game, position: event.position }
      while (last !== null && (await viewsHave(deps, last, signal))) last = await clearSome(deps, place, gone)
    },
  }
}

/**
 * Id of the folder that is gone with an event; null where none is. One whose parent was deleted goes with the one that is
 * created again at its path before its content was cleared.
 */
async function goneBy({ commands }: ProcessDeps, event: StoredEvent, bucket: string): Promise<string | null> {
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
async function clearSome({ commands, queries, now }: ProcessDeps, place: BucketPlace, gone: string) {
  const files = await filesUnder(queries, gone, AT_ONCE)
  const all = files.map(({ key }) => doomed({ folder: gone, key }))
  let last = await clearFiles(commands, place, all, ownContext(now()))
  for (const { id, key } of await foldersUnder(queries, gone, AT_ONCE)) {
    last = (await removeIfThere({ commands, now }, { ...place, folder: id, key })) ?? last
  }
  return last
}

/** Null if it no longer exists. */
export async function removeIfThere(
  { commands, now }: Pick<ProcessDeps, 'commands' | 'now'>,
  place: BucketPlace & { readonly folder: string; readonly key: string },
): Promise<CommitPosition | null> {
  try {
    return (await removeFolder(commands, place, ownContext(now()))).written
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
      // By then it is known whether the one above it went at the same time.
      // Without a path its creator was deleted, and erase-files.ts removes it.
      if (game === null || data.path === null || !(await untilOld(event, now, signal))) return
      if (!(await viewsHave(deps, { game, position }, signal))) return
      const present = await folderAt({ ...queries, digest: commands.keys.digest }, bucket, String(data.path))
      if (present === null) await removeIfThere(deps, { bucket, game, folder: String(data.id), key })
    },
  }
}
