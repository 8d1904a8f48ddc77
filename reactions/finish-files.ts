// Completes file operations whose request failed halfway: settles and completes uploads, frees the quota of deleted
// files, and deletes files that were stored while their folder or creator was deleted.

import { clearFiles, fileToClear, free } from '../commands/file.ts'
import { finish } from '../commands/finish-upload.ts'
import { playerNow } from '../commands/player-now.ts'
import { unsafeCast } from '../domain/event.ts'
import type { FileDeletedData, FileOverwrittenData, FileStoredData } from '../domain/file.ts'
import { idsIn } from '../domain/streams.ts'
import { folderAt } from '../queries/files/path-lookup.ts'
import { ownContext, type Reaction, type ReactionDeps } from './reaction.ts'
import { waitForAge, waitForViews } from './wait.ts'

export function finishFiles(deps: ReactionDeps): Reaction {
  const { commands, queries, now } = deps
  return {
    name: 'finish_files',
    takes: ['FileStored', 'FileOverwritten', 'FileDeleted'],
    async react(event, signal) {
      const { stream, type, data, meta, position } = event
      const [bucket, key] = idsIn(stream)
      const { game } = meta
      if (game === null || !(await waitForAge(event, now, signal))) return
      const ref = { bucket, game }
      const context = ownContext(now())
      if (type === 'FileDeleted') return free(commands, ref, [unsafeCast<FileDeletedData>(data)], context)
      const stored = unsafeCast<FileStoredData | FileOverwrittenData>(data)
      const { path, folder, creator } = await finish(commands, ref, { stream, stored }, context)
      // A view that lags would report that the folder does not exist.
      if (!(await waitForViews(deps, { game, position }, signal))) return
      // The creator was deleted, so the file is deleted too.
      if (path === null)
        return void (await clearFiles(commands, ref, [fileToClear({ folder, key }, creator)], ownContext(now())))
      const present = await folderAt({ ...queries, digest: commands.keys.digest }, bucket, path)
      const isHere = present?.id === folder
      if (isHere && (creator === null || (await isThere(commands, creator)))) return
      const lost = fileToClear({ folder, key }, isHere ? creator : null)
      await clearFiles(commands, ref, [lost], ownContext(now()))
    },
  }
}

async function isThere(commands: ReactionDeps['commands'], player: string): Promise<boolean> {
  return (await playerNow(commands, player))?.deleted === false
}
