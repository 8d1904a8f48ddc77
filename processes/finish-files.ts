// Does what follows a file's own events, where the call that made them did not come to it: settles and completes uploads,
// frees what deleted files held, and clears away files that were stored in a folder that went at the same time.

import { randomUUID } from 'node:crypto'
import type { CommandDeps } from '../commands/deps.ts'
import { clearFiles, free } from '../commands/file.ts'
import { finish } from '../commands/finish-upload.ts'
import type { Seen } from '../commands/intent.ts'
import { shaped } from '../domain/event.ts'
import type { FileDeletedData, FileOverwrittenData, FileStoredData } from '../domain/file.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { folderAt } from '../queries/files/place.ts'
import { ownIntent } from './intent.ts'
import type { Process } from './process.ts'
import { until } from './wait.ts'

/** How long the calls have to finish by themselves. */
const GRACE_MS = 5_000

export interface FileProcessDeps {
  readonly commands: CommandDeps
  readonly queries: QueryDeps
  now(): number
  readonly seen: Seen
}

export function finishFiles(deps: FileProcessDeps): Process {
  const { commands, queries, now } = deps
  return {
    name: 'finish_files',
    takes: ['FileStored', 'FileOverwritten', 'FileDeleted'],
    async react({ stream, type, data, meta }, signal) {
      const [bucket = '', key = ''] = stream.slice('file-'.length).split('.')
      const { game } = meta
      await until(Date.parse(meta.time) + GRACE_MS, now, signal)
      if (signal.aborted || game === null) return
      const place = { bucket, game }
      const intent = ownIntent(now())
      if (type === 'FileDeleted') return free(commands, place, [shaped<FileDeletedData>(data)], intent)
      const stored = shaped<FileStoredData | FileOverwrittenData>(data)
      const { path, folder } = await finish(commands, place, stream, stored, intent)
      const present = await folderAt({ ...queries, digest: commands.keys.digest }, bucket, path)
      if (present?.id === folder) return
      await clearFiles(commands, place, [{ folder, key, deletion: randomUUID() }], ownIntent(now()))
    },
  }
}
