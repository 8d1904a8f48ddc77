// The log in a SQLite file. An append is answered after an fdatasync that covers it; appends that meet share one. Readers
// and followers see durable events only.

import type { NewEvent, Position, StoredEvent } from '../../domain/event.ts'
import { checkAppend } from '../contract/append-check.ts'
import type { LogErasure } from '../contract/erasure.ts'
import type { BriefEvent, History, HistoryFilter } from '../contract/history.ts'
import { AppendDenied, type AppendResult, type Expected, type Log } from '../contract/log.ts'
import { hasNul } from '../contract/storable.ts'
import { turn } from '../contract/turn.ts'
import { DiskFull } from './disk-full.ts'
import { type DurableOptions, openDurable } from './durable-database.ts'
import { createLogErasure, ERASURE_SCHEMA } from './log-erasure.ts'
import { placeOf, positionOf } from './log-position.ts'
import { createLogReader } from './log-reader.ts'
import { LOG_SCHEMA } from './log-schema.ts'
import { createLogWriter } from './log-writer.ts'
import { createRecentEvents } from './recent-events.ts'
import { createWakeups } from './wakeups.ts'

export interface LogOptions extends Omit<DurableOptions, 'onGroup'> {
  /** Called after each commit with how many events it made durable: appends that came together share one. */
  readonly onCommit?: (events: number) => void
}

/** Also the history of each game and board, and what rewrites events. */
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
  // What an event held is written over where it was: text of deleted players is to be in no byte of the file.
  database.db.exec('PRAGMA secure_delete=ON')
  const reader = createLogReader(database.db)
  let head = reader.lastPlace()
  const writer = createLogWriter(database.db, head)
  const recent = createRecentEvents(head)
  const wakeups = createWakeups()
  const erasure = createLogErasure(database, { onRewritten: (events) => recent.replace(events) })
  let broken: Error | null = null

  function onGroup(outcome: 'durable' | 'undone'): void {
    if (outcome === 'undone') {
      writer.undone()
      return
    }
    const events = writer.durable()
    if (events.length === 0) return
    recent.push(events)
    head += events.length
    options.onCommit?.(events.length)
    wakeups.wake()
  }

  function onFailure(error: Error): void {
    broken = error
    wakeups.wake()
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

  async function readStream(stream: string, from: number, limit: number): Promise<StoredEvent[]> {
    const most = atLeastOne(limit)
    return hasNul(stream) ? [] : reader.stream(stream, from, { head, limit: most })
  }

  async function readAll(after: Position | null, limit: number): Promise<StoredEvent[]> {
    const place = requirePlace(after)
    return recent.after(place, atLeastOne(limit)) ?? reader.all({ after: place, head, limit })
  }

  async function part(filter: HistoryFilter, after: Position | null, limit: number): Promise<StoredEvent[]> {
    const stretch = { after: requirePlace(after), head, limit: atLeastOne(limit) }
    return isNamed(filter) ? reader.part(filter, stretch) : []
  }

  async function brief(filter: HistoryFilter, after: Position | null, limit: number): Promise<BriefEvent[]> {
    const stretch = { after: requirePlace(after), head, limit: atLeastOne(limit) }
    return isNamed(filter) ? reader.brief(filter, stretch) : []
  }

  async function nth(filter: HistoryFilter, after: Position | null, count: number): Promise<StoredEvent | null> {
    const stretch = { after: requirePlace(after), head, limit: atLeastOne(count) }
    const [event] = isNamed(filter) ? reader.nth(filter, stretch) : []
    return event ?? null
  }

  async function eventAt(position: Position): Promise<StoredEvent | null> {
    const place = placeOf(position)
    if (place === undefined || place < 1 || place > head) return null
    const found = recent.after(place - 1, 1) ?? reader.all({ after: place - 1, head, limit: 1 })
    return found[0] ?? null
  }

  async function* subscribe(after: Position | null, limit: number, signal: AbortSignal) {
    let place = requirePlace(after)
    atLeastOne(limit)
    while (!signal.aborted) {
      if (broken !== null) throw broken
      const live = recent.after(place, limit)
      const events = live ?? reader.all({ after: place, head, limit })
      if (events.length === 0) {
        await wakeups.wait(signal)
        continue
      }
      // Places have no gaps, so this is the place of the last of them.
      place += events.length
      yield events
      // Promises alone never let the event loop turn: a long history would keep every request waiting.
      if (live === null) await turn()
    }
  }

  async function close(): Promise<void> {
    broken ??= new Error(`The log ${path} is closed`)
    wakeups.wake()
    await database.close()
  }

  return {
    append,
    readStream,
    readAll,
    part,
    brief,
    nth,
    erasure,
    eventAt,
    head: async () => (head === 0 ? null : positionOf(head)),
    subscribe,
    close,
  }
}

/** Whether it can name a game or board at all. */
function isNamed(filter: HistoryFilter): boolean {
  return !hasNul('game' in filter ? filter.game : filter.board)
}

function requirePlace(position: Position | null): number {
  const place = placeOf(position)
  if (place === undefined) throw new TypeError(`${JSON.stringify(position)} is no position of this log`)
  return place
}

function atLeastOne(limit: number): number {
  if (!(Number.isSafeInteger(limit) && limit >= 1)) throw new RangeError(`A limit must be at least 1, not ${limit}`)
  return limit
}
