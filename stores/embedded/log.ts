// The log in a SQLite file. An append resolves after an fdatasync that covers it; concurrent appends share one.
// Readers and subscribers see durable events only.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { NewEvent, Position, StoredEvent } from '../../domain/event.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { LogErasure } from '../contract/erasure.ts'
import type { History, HistoryFilter, LogRevisions } from '../contract/history.ts'
import { type Append, AppendDenied, type AppendResult, type Expected, type Log, NotSent } from '../contract/log.ts'
import type { LogStores } from '../contract/stores.ts'
import { appendWithout } from '../support/append-all.ts'
import { type CheckedAppend, checkAppend, requireLimit, requireRevision } from '../support/log-arguments.ts'
import { hasNul } from '../support/storable.ts'
import type { DerivedDamaged } from './derived-database.ts'
import { type DurableDatabase, type DurableOptions, openDurable } from './durable-database.ts'
import { convertLog } from './log-conversion.ts'
import { createLogErasure, ERASURE_SCHEMA } from './log-erasure.ts'
import { type LogIndex, type OpenIndexOptions, openLogIndex } from './log-index.ts'
import type { FoundBlock } from './log-index-file.ts'
import { createLogReader, type LogReader } from './log-reader.ts'
import { createLogRevisions } from './log-revisions.ts'
import {
  boardName,
  gameName,
  indexedEvent,
  LOG_SCHEMA,
  parsePosition,
  positionOf,
  requirePosition,
} from './log-schema.ts'
import { LogTail } from './log-tail.ts'
import { createLogWriter, type LogWriter } from './log-writer.ts'
import { DiskFull } from './sqlite-error.ts'
import { HeadsFile } from './stream-heads-file.ts'
import { createStreamReads, type StreamReads } from './stream-reads.ts'
import { BLOCK_EVENTS, type Span } from './time-blocks.ts'

/** Work of a start that takes long for a large log. */
type StartWork = 'conversion of the log' | 'last revisions of the streams' | 'index of the log'

export interface LogOptions extends Omit<DurableOptions, 'onGroup'> {
  /** Called after each commit with the number of events that it made durable. Concurrent appends share a commit. */
  readonly onCommit?: (events: number) => void
  /** Called after each batch of such work, with the number of events. */
  readonly onStartWork?: (work: StartWork, done: number, total: number) => void
  /** Called for each file beside the log that was damaged, and is built from the log again. */
  readonly onRepaired?: (damage: DerivedDamaged) => void
  /** As for `ViewsOptions`; of the index. */
  readonly mappableBytes?: number | undefined
  /** Events since the heads were written that make another write worth it, for tests. */
  readonly headsWorthWriting?: number
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
  newestTime: LogStores['newestTime']
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
  let headsFile: HeadsFile | null = null
  try {
    // Overwrite deleted content, so that no byte of the file contains text of deleted players.
    database.db.exec('PRAGMA secure_delete=ON')
    const reader = createLogReader(database.db, path)
    const { onStartWork = () => {}, onRepaired = () => {}, mappableBytes, index: indexOptions } = options
    await convertLog(database, (done, total) => onStartWork('conversion of the log', done, total))
    headsFile = await HeadsFile.open(headsPathOf(path), reader, {
      worthWriting: options.headsWorthWriting,
      onRepaired,
      onProgress: (done, total) => onStartWork('last revisions of the streams', done, total),
    })
    index = await openLogIndex(indexPathOf(path), reader, {
      ...indexOptions,
      mappableBytes,
      onFailure,
      onRepaired,
      onProgress: (done, total) => onStartWork('index of the log', done, total),
    })
    opened = assemble({ path, database, reader, index, headsFile, onCommit: options.onCommit })
    return opened.log
  } catch (error) {
    await database.close()
    await index?.close()
    throw error
  }
}

/** The files of the heads and of the index are next to that of the log. */
export const headsPathOf = (path: string): string => `${path.replace(/\.sqlite$/, '')}-heads`
export const indexPathOf = (path: string): string => `${path.replace(/\.sqlite$/, '')}-index.sqlite`

interface LogParts {
  readonly path: string
  readonly database: DurableDatabase
  readonly reader: LogReader
  readonly index: LogIndex
  readonly headsFile: HeadsFile
  readonly onCommit: LogOptions['onCommit']
}

function assemble({ path, database, reader, index, headsFile, onCommit }: LogParts) {
  const tail = new LogTail(reader)
  const reportIncompleteHeads = () => {
    headsFile.remove()
    return index.reportDamage('the last revisions of the streams lack one of its streams')
  }
  const streams = createStreamReads({ heads: headsFile.heads, reportIncompleteHeads, index, tail, reader })
  const writer = createLogWriter(database.db, streams, reader)
  const erasure = createLogErasure(database, index, { onRewritten: (events) => tail.replace(events) })

  function onGroup(outcome: 'durable' | 'undone'): void {
    if (outcome === 'undone') {
      writer.undone()
      return
    }
    const events = writer.durable()
    if (events.length === 0) return
    const indexed = events.map(({ sequence, event }) => indexedEvent(sequence, event))
    headsFile.add(indexed)
    index.add(indexed)
    tail.push(events)
    onCommit?.(events.length)
  }

  /** All in one transaction. */
  async function write(checked: readonly CheckedAppend[]): Promise<readonly AppendResult[]> {
    if (index.isFull && !(await index.waitForSpace()))
      throw new AppendDenied(`${indexPathOf(path)} cannot be written: its disk is full or too slow`)
    try {
      return await database.write(() => writer.append(checked))
    } catch (error) {
      throw error instanceof DiskFull ? new AppendDenied(error.message, error) : error
    }
  }

  async function append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<AppendResult> {
    const [result] = await write([checkAppend(stream, expected, events)])
    return result as AppendResult
  }

  const appendTogether = (appends: readonly Append[]) =>
    appendWithout<CheckedAppend>(appends.map(checkedOrRefused), (checked) => {
      const written = write(checked)
      return checked.map(async (_, nth) => (await written)[nth] as AppendResult)
    })

  async function close(): Promise<void> {
    tail.end(new Error(`The log ${path} is closed`))
    try {
      await database.close()
      await headsFile.close()
    } finally {
      await index.close()
    }
  }

  const timesOfBlock = (block: number) =>
    reader.indexed({ after: block * BLOCK_EVENTS, head: tail.head, limit: BLOCK_EVENTS }).map(({ time }) => time)

  const log: EmbeddedLog = {
    append,
    appendAll: appendTogether,
    ...createReads(streams, tail, writer),
    ...createHistory({ index, reader, tail }),
    newestTime: async (plausibleUntil) => index.newestTime(plausibleUntil, timesOfBlock) || null,
    erasure,
    revisions: createLogRevisions(database.db, reader, () => tail.head),
    close,
  }
  return { log, tail, onGroup }
}

function checkedOrRefused({ stream, expected, events }: Append): CheckedAppend | NotSent {
  try {
    return checkAppend(stream, expected, events)
  } catch (error) {
    if (error instanceof NotSent) return error
    throw error
  }
}

export function createReads(
  streams: StreamReads,
  tail: LogTail,
  writer: Pick<LogWriter, 'cacheLastRevision' | 'cachedRevision'>,
): Pick<Log, 'readStream' | 'readAll' | 'eventAt' | 'head' | 'subscribe'> {
  return {
    async readStream(stream, from, limit) {
      const [first, maxEvents] = [requireRevision(from), requireLimit(limit)]
      if (hasNul(stream)) return []
      if ((writer.cachedRevision(stream) ?? first) < first) return []
      const events = streams.read(stream, first, maxEvents)
      // Fewer events than the limit: the last one is the stream's last. Synchronous, so that no append comes between.
      const reachesEnd = events.length > 0 && events.length < maxEvents
      if (reachesEnd) writer.cacheLastRevision(stream, first + events.length - 1)
      return events
    },
    readAll: async (after, limit) => tail.after(requirePosition(after), requireLimit(limit)),
    async eventAt(position) {
      const sequence = parsePosition(position)
      if (sequence === undefined || sequence < 1 || sequence > tail.head) return null
      return tail.at([sequence])[0] ?? null
    },
    head: async () => (tail.head === 0 ? null : positionOf(tail.head)),
    subscribe: (after, limit, signal) => tail.subscribe(after, limit, signal),
  }
}

interface HistoryParts {
  readonly index: Pick<LogIndex, 'ofFilter' | 'nthOfFilter' | 'lastOfFilter' | 'lastBlockBy' | 'skip' | 'reportDamage'>
  readonly reader: Pick<LogReader, 'briefAt'>
  readonly tail: LogTail
}

function createHistory({ index, reader, tail }: HistoryParts): History {
  const found = (filter: HistoryFilter, after: Position | null, limit: number): number[] => {
    const [from, maxEvents] = [requirePosition(after), requireLimit(limit)]
    const name = nameOf(filter)
    return name === null ? [] : index.ofFilter(name, from, maxEvents)
  }
  return {
    async part(filter, after, limit) {
      const sequences = found(filter, after, limit)
      const events = tail.at(sequences)
      const isOfFilter = ({ meta }: StoredEvent) =>
        'game' in filter ? meta.game === filter.game : meta.board === filter.board
      if (events.length === sequences.length && events.every(isOfFilter)) return events
      throw index.reportDamage('it has events of another game or board')
    },
    async skip(_game, { after, upTo }, times) {
      const [from, end] = [requirePosition(after), requirePosition(upTo)]
      const skipped = Math.min(index.skip(from, times), end)
      return skipped > from ? positionOf(skipped) : after
    },
    async lastBy(game, { after, upTo }, instant) {
      const name = nameOf({ game })
      if (name === null) return null
      return lastBy({ index, tail }, name, { after: requirePosition(after), upTo: requirePosition(upTo) }, instant)
    },
    brief: async (filter, after, limit) => reader.briefAt(found(filter, after, limit)),
    async nth(filter, after, count) {
      const [from, nth] = [requirePosition(after), requireLimit(count)]
      const name = nameOf(filter)
      const sequence = name === null ? null : index.nthOfFilter(name, from, nth)
      return sequence === null ? null : (tail.at([sequence])[0] ?? null)
    },
  }
}

/** Events whose times are read at once: some tenths of a millisecond. */
const TIMES_AT_ONCE = 64

/** The position of the last event of a game, by its name in the index, that is not later than an instant; or null. */
async function lastBy(
  { index, tail }: Pick<HistoryParts, 'index' | 'tail'>,
  name: string,
  { after, upTo }: Span,
  instant: string,
): Promise<Position | null> {
  for (let end: number | null = upTo; end !== null && end > after; await yieldToEventLoop()) {
    const { found, rest }: FoundBlock = index.lastBlockBy({ after, upTo: end }, instant)
    end = rest
    if (found === null) continue
    // A game may have no event for a long time: go on where it has its last one.
    end = index.lastOfFilter(name, found.upTo)
    if (end === null || end <= found.after) continue
    const sequences = index.ofFilter(name, found.after, BLOCK_EVENTS).filter((sequence) => sequence <= found.upTo)
    for (; sequences.length > 0; await yieldToEventLoop()) {
      const last = tail.at(sequences.splice(-TIMES_AT_ONCE)).findLast(({ meta }) => meta.time <= instant)
      if (last !== undefined) return last.position
    }
    end = found.after
  }
  return null
}

/** The name in the index; null if no game or board can have this id. */
function nameOf(filter: HistoryFilter): string | null {
  const name = 'game' in filter ? gameName(filter.game) : boardName(filter.board)
  return hasNul(name) ? null : name
}
