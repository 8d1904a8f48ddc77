// The log in a SQLite file. An append resolves after an fdatasync that covers it; concurrent appends share one.
// Readers and subscribers see durable events only.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { NewEvent } from '../../domain/event.ts'
import type { LogErasure } from '../contract/erasure.ts'
import type { History } from '../contract/history.ts'
import { AppendDenied, type AppendResult, type Expected, type Log } from '../contract/log.ts'
import type { LogRevisions } from '../contract/revisions.ts'
import { checkAppend } from '../support/append-check.ts'
import { DiskFull } from './disk-full.ts'
import { type DurableDatabase, type DurableOptions, openDurable } from './durable-database.ts'
import { indexedEvent } from './indexed-event.ts'
import { convertLog } from './log-conversion.ts'
import { createLogErasure, ERASURE_SCHEMA } from './log-erasure.ts'
import type { LogIndex } from './log-index.ts'
import { createLogReader, type LogReader } from './log-reader.ts'
import { createHistory, createReads } from './log-reads.ts'
import { createLogRevisions } from './log-revisions.ts'
import { LOG_SCHEMA } from './log-schema.ts'
import { LogTail } from './log-tail.ts'
import { createLogWriter } from './log-writer.ts'
import { type OpenIndexOptions, openLogIndex } from './open-log-index.ts'

/** Work of a start that takes long for a large log. */
type StartWork = 'conversion of the log' | 'index of the log'

export interface LogOptions extends Omit<DurableOptions, 'onGroup'> {
  /** Called after each commit with the number of events that it made durable. Concurrent appends share a commit. */
  readonly onCommit?: (events: number) => void
  /** Called after each batch of such work, with the number of events. */
  readonly onStartWork?: (work: StartWork, done: number, total: number) => void
  /** As for `ViewsOptions`; of the index. */
  readonly mappableBytes?: number | undefined
  /** For tests. */
  readonly index?: Pick<
    OpenIndexOptions,
    'hash' | 'sync' | 'batch' | 'maxUnwritten' | 'spaceWaitMs' | 'checkpointFrom'
  > & {
    readonly onOpened?: (db: DatabaseSyncInstance) => void
  }
}

/** The log with the history of each game and board, its revisions, and the erasure of events. */
export interface EmbeddedLog extends Log, History {
  readonly erasure: LogErasure
  readonly revisions: LogRevisions
}

/** Opens or creates the log. `onFailure` is called once if the disk failed: the process should stop then. */
export async function openLog(path: string, options: LogOptions = {}): Promise<EmbeddedLog> {
  let [index, opened]: [LogIndex | null, ReturnType<typeof assemble> | null] = [null, null]
  const onFailure = (error: Error) => {
    opened?.tail.end(error)
    options.onFailure?.(error)
  }
  const database = await openDurable(path, LOG_SCHEMA + ERASURE_SCHEMA, {
    ...options,
    cleared: 'events',
    onGroup: (outcome) => opened?.onGroup(outcome),
    onFailure,
  })
  try {
    // Overwrite deleted content, so that no byte of the file contains text of deleted players.
    database.db.exec('PRAGMA secure_delete=ON')
    const reader = createLogReader(database.db, path)
    const { onStartWork = () => {}, mappableBytes, index: indexOptions } = options
    await convertLog(database, (done, total) => onStartWork('conversion of the log', done, total))
    index = await openLogIndex(indexPathOf(path), reader, {
      ...indexOptions,
      mappableBytes,
      onFailure,
      onProgress: (done, total) => onStartWork('index of the log', done, total),
    })
    opened = assemble({ path, database, reader, index, onCommit: options.onCommit })
    return opened.log
  } catch (error) {
    await database.close()
    await index?.close()
    throw error
  }
}

/** The file of the index is next to that of the log. */
export const indexPathOf = (path: string): string => `${path.replace(/\.sqlite$/, '')}-index.sqlite`

interface LogParts {
  readonly path: string
  readonly database: DurableDatabase
  readonly reader: LogReader
  readonly index: LogIndex
  readonly onCommit: LogOptions['onCommit']
}

function assemble({ path, database, reader, index, onCommit }: LogParts) {
  const tail = new LogTail(reader)
  const writer = createLogWriter(database.db, index, reader)
  const erasure = createLogErasure(database, index, { onRewritten: (events) => tail.replace(events) })

  function onGroup(outcome: 'durable' | 'undone'): void {
    if (outcome === 'undone') {
      writer.undone()
      return
    }
    const events = writer.durable()
    if (events.length === 0) return
    index.add(events.map(({ event }) => indexedEvent(event)))
    tail.push(events)
    onCommit?.(events.length)
  }

  async function append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<AppendResult> {
    const checked = checkAppend(stream, expected, events)
    if (index.isFull && !(await index.waitForSpace()))
      throw new AppendDenied(`${indexPathOf(path)} cannot be written: its disk is full or too slow`)
    try {
      return await database.write(() => writer.append(checked))
    } catch (error) {
      throw error instanceof DiskFull ? new AppendDenied(error.message, error) : error
    }
  }

  async function close(): Promise<void> {
    tail.end(new Error(`The log ${path} is closed`))
    try {
      await database.close()
    } finally {
      await index.close()
    }
  }

  const log: EmbeddedLog = {
    append,
    ...createReads(index, tail, writer),
    ...createHistory({ index, reader, tail }),
    erasure,
    revisions: createLogRevisions(database.db, () => tail.head),
    close,
  }
  return { log, tail, onGroup }
}
