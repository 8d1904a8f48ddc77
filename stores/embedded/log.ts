// The log in a SQLite file. An append resolves after an fdatasync that covers it; concurrent appends share one.
// Readers and subscribers see durable events only.

import type { NewEvent, Position } from '../../domain/event.ts'
import type { LogErasure } from '../contract/erasure.ts'
import type { History, HistoryFilter } from '../contract/history.ts'
import { AppendDenied, type AppendResult, type Expected, type Log } from '../contract/log.ts'
import { checkAppend } from '../support/append-check.ts'
import { hasNul } from '../support/storable.ts'
import { DiskFull } from './disk-full.ts'
import { type DurableOptions, openDurable } from './durable-database.ts'
import { createLogErasure, ERASURE_SCHEMA } from './log-erasure.ts'
import { atLeastOne, parsePosition, positionOf, requirePosition } from './log-position.ts'
import { createLogReader, type LogReader, type Stretch } from './log-reader.ts'
import { LOG_SCHEMA } from './log-schema.ts'
import { LogTail } from './log-tail.ts'
import { createLogWriter } from './log-writer.ts'

export interface LogOptions extends Omit<DurableOptions, 'onGroup'> {
  /** Called after each commit with the number of events that it made durable. Concurrent appends share a commit. */
  readonly onCommit?: (events: number) => void
}

/** The log with the history of each game and board, and the erasure of events. */
export interface EmbeddedLog extends Log, History {
  readonly erasure: LogErasure
}

/** Opens or creates the log. `onFailure` is called once if the disk failed: the process should stop then. */
export async function openLog(path: string, options: LogOptions = {}): Promise<EmbeddedLog> {
  const database = await openDurable(path, LOG_SCHEMA + ERASURE_SCHEMA, {
    ...options,
    cleared: 'events',
    onGroup,
    onFailure,
  })
  // Overwrite deleted content, so that no byte of the file contains text of deleted players.
  database.db.exec('PRAGMA secure_delete=ON')
  const reader = createLogReader(database.db)
  const tail = new LogTail(reader)
  const writer = createLogWriter(database.db, tail.head)
  const erasure = createLogErasure(database, { onRewritten: (events) => tail.replace(events) })

  function onGroup(outcome: 'durable' | 'undone'): void {
    if (outcome === 'undone') {
      writer.undone()
      return
    }
    const events = writer.durable()
    if (events.length === 0) return
    tail.push(events)
    options.onCommit?.(events.length)
  }

  function onFailure(error: Error): void {
    tail.end(error)
    options.onFailure?.(error)
  }

  async function append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<AppendResult> {
    const checked = checkAppend(stream, expected, events)
    try {
      return await database.write(() => writer.append(checked))
    } catch (error) {
      throw error instanceof DiskFull ? new AppendDenied(error.message, error) : error
    }
  }

  async function close(): Promise<void> {
    tail.end(new Error(`The log ${path} is closed`))
    await database.close()
  }

  return { append, ...createReads(reader, tail), ...createHistory(reader, tail), erasure, close }
}

function createReads(
  reader: LogReader,
  tail: LogTail,
): Pick<Log, 'readStream' | 'readAll' | 'eventAt' | 'head' | 'subscribe'> {
  return {
    async readStream(stream, from, limit) {
      const maxEvents = atLeastOne(limit)
      return hasNul(stream) ? [] : reader.stream(stream, from, { head: tail.head, limit: maxEvents })
    },
    readAll: async (after, limit) => tail.after(requirePosition(after), atLeastOne(limit)),
    async eventAt(position) {
      const index = parsePosition(position)
      if (index === undefined || index < 1 || index > tail.head) return null
      return tail.after(index - 1, 1)[0] ?? null
    },
    head: async () => (tail.head === 0 ? null : positionOf(tail.head)),
    subscribe: (after, limit, signal) => tail.subscribe(after, limit, signal),
  }
}

function createHistory(reader: LogReader, tail: LogTail): History {
  const stretchOf = (after: Position | null, limit: number): Stretch => ({
    after: requirePosition(after),
    head: tail.head,
    limit: atLeastOne(limit),
  })

  return {
    async part(filter, after, limit) {
      const stretch = stretchOf(after, limit)
      return isNamed(filter) ? reader.part(filter, stretch) : []
    },
    async brief(filter, after, limit) {
      const stretch = stretchOf(after, limit)
      return isNamed(filter) ? reader.brief(filter, stretch) : []
    },
    async nth(filter, after, count) {
      const stretch = stretchOf(after, count)
      const [event] = isNamed(filter) ? reader.nth(filter, stretch) : []
      return event ?? null
    },
  }
}

/** Whether the id can be that of a game or board. */
function isNamed(filter: HistoryFilter): boolean {
  return !hasNul('game' in filter ? filter.game : filter.board)
}
