// Does what follows a file's own events, where the call that made them did not come to it: settles and completes uploads,
// frees what deleted files held, and clears away files that were stored when their folder or creator went at the same time.

import type { CommandDeps } from '../commands/deps.ts'
import { clearFiles, doomed, free } from '../commands/file.ts'
import { finish } from '../commands/finish-upload.ts'
import type { Seen } from '../commands/intent.ts'
import { playerNow } from '../commands/sign-in/claims.ts'
import { shaped } from '../domain/event.ts'
import type { FileDeletedData, FileOverwrittenData, FileStoredData } from '../domain/file.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { folderAt } from '../queries/files/place.ts'
import { ownIntent } from './intent.ts'
import type { Process } from './process.ts'
import { until } from './wait.ts'

/** How long the calls have to finish by themselves. */
const GRACE_MS = 5_000
/** How long it waits for the views; then the event comes again. */
const SEEN_MS = 10_000

export interface FileProcessDeps {
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  now(): number
  readonly seen: Seen
}

export function finishFiles(deps: FileProcessDeps): Process {
  const { commands, queries, now, seen } = deps
  return {
    name: 'finish_files',
    takes: ['FileStored', 'FileOverwritten', 'FileDeleted'],
    async react({ stream, type, data, meta, position }, signal) {
      const [bucket = '', key = ''] = stream.slice('file-'.length).split('.')
      const { game } = meta
      await until(Date.parse(meta.time) + GRACE_MS, now, signal)
      if (signal.aborted || game === null) return
      const place = { bucket, game }
      const intent = ownIntent(now())
      if (type === 'FileDeleted') return free(commands, place, [shaped<FileDeletedData>(data)], intent)
      const stored = shaped<FileStoredData | FileOverwrittenData>(data)
      const { path, folder, creator } = await finish(commands, place, stream, stored, intent)
      // Views that do not know its folder yet would have it that there is none.
      if (!(await seen({ game, position }, SEEN_MS)))
        throw new Error('the views have not come to a file that was stored')
      const present = await folderAt({ ...queries, digest: commands.keys.digest }, bucket, path)
      const isHere = present?.id === folder
      if (isHere && (creator === null || (await isThere(commands, creator)))) return
      const lost = doomed({ folder, key }, isHere ? creator : null)
      await clearFiles(commands, place, [lost], ownIntent(now()))
    },
  }
}

async function isThere(commands: CommandDeps, player: string): Promise<boolean> {
  return (await playerNow(commands, player))?.deleted === false
}
