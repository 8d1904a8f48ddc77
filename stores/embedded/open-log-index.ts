// Opens the index of a log and writes the events that its file does not have yet. A file that is damaged, or that was
// written for another log, is removed and built again.

import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { isDamaged } from './damaged.ts'
import { DerivedDamaged } from './derived-damage.ts'
import { removeDerived } from './derived-database.ts'
import { LogIndex, type LogIndexOptions } from './log-index.ts'
import { type IndexFileOptions, LogIndexFile } from './log-index-file.ts'
import type { LogReader } from './log-reader.ts'
import { DiskFull, isDiskFull } from './sqlite-error.ts'

/** Events that are read and written together while the file is built, in some megabytes of memory. */
const BUILD_BATCH = 20_000

export interface OpenIndexOptions extends LogIndexOptions, Omit<IndexFileOptions, 'streamAt'> {
  /** Called after each batch with the number of events that the file has, of all events of the log. */
  readonly onProgress: (indexed: number, total: number) => void
  /** Called if the file was damaged. */
  readonly onRepaired: (damage: DerivedDamaged) => void
}

/** Throws FolderInUse if the file is already open, and DiskFull if its disk is full. */
export async function openLogIndex(path: string, reader: LogReader, options: OpenIndexOptions): Promise<LogIndex> {
  try {
    return await openAndBuild(path, reader, options)
  } catch (error) {
    if (isDiskFull(error)) throw new DiskFull(path, error)
    if (!isDamaged(error)) throw error
    const remedy = 'and was removed: it is built again from the log'
    options.onRepaired(new DerivedDamaged(path, `is damaged (${(error as Error).message}) ${remedy}`, error))
    removeDerived(path)
    return openAndBuild(path, reader, options)
  }
}

async function openAndBuild(path: string, reader: LogReader, options: OpenIndexOptions): Promise<LogIndex> {
  const file = openOfLog(path, reader, options)
  try {
    await build(file, reader, options.onProgress)
    return new LogIndex(file, options)
  } catch (error) {
    file.close()
    throw error
  }
}

/** Opens the file if all that was ever written to it is of this log and has its times. Otherwise creates it again. */
function openOfLog(path: string, reader: LogReader, options: OpenIndexOptions): LogIndexFile {
  const fileOptions = { ...options, streamAt: reader.streamAt }
  const file = new LogIndexFile(path, fileOptions)
  const isOfLog = (['written', 'started'] as const).every((name) => {
    const last = file.progress(name)
    return last === null || reader.at([last.sequence])[0]?.id === last.event
  })
  if (isOfLog && file.hasTimes) return file
  file.close()
  removeDerived(path)
  return new LogIndexFile(path, fileOptions)
}

async function build(file: LogIndexFile, reader: LogReader, onProgress: OpenIndexOptions['onProgress']): Promise<void> {
  const head = reader.lastSequence()
  while (file.written < head) {
    const events = reader.indexed({ after: file.written, head, limit: BUILD_BATCH })
    for (const _ of file.write(events, Number.POSITIVE_INFINITY)) await yieldToEventLoop()
    await file.checkpointWhereDue()
    onProgress(file.written, head)
  }
}
