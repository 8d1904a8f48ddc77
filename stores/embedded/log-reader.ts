// Reads the events of the embedded log from its file, by sequence number: those of a range, or those that the log's index
// found.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { StoredEvent } from '../../domain/event.ts'
import type { BriefEvent } from '../contract/history.ts'
import { damageError } from './damaged.ts'
import { filtersOf, type IndexedEvent } from './indexed-event.ts'
import { positionOf } from './log-position.ts'
import { EVENT_COLUMNS, type EventRow, storedEvent } from './log-schema.ts'
import { prepareRows } from './prepare-rows.ts'

/** A range of the log: after one sequence number (exclusive), up to another (inclusive), at most `limit` events. */
interface Stretch {
  readonly after: number
  readonly head: number
  readonly limit: number
}

/** Of which stream an event is. */
export interface EventOwner {
  readonly sequence: number
  readonly id: string
  readonly stream: string
  readonly revision: number
}

export interface LogReader {
  all(stretch: Stretch): StoredEvent[]
  /** What the index needs of each event, without its data. */
  indexed(stretch: Stretch): IndexedEvent[]
  /** The events with these sequence numbers, which ascend. */
  at(sequences: readonly number[]): StoredEvent[]
  briefAt(sequences: readonly number[]): BriefEvent[]
  /** Stream and revision of each event. */
  owners(stretch: Stretch): EventOwner[]
  /** Those of one event; null if there is no such event. */
  ownerAt(sequence: number): EventOwner | null
  streamAt(sequence: number): string | null
  /** The revisions of a stream, in log order. Reads the whole log: blocks for a second a million events or longer. */
  revisionsOf(stream: string): number[]
  /** The sequence number of the last committed event; 0 if the log is empty. */
  lastSequence(): number
}

/** `path` is for error texts. */
export function createLogReader(db: DatabaseSyncInstance, path: string): LogReader {
  function checked<Events>(read: () => Events): Events {
    try {
      return read()
    } catch (error) {
      throw isOfJson(error) ? damageError(path, 'an event cannot be read', error) : error
    }
  }

  const select = (rest: string, columns: string = EVENT_COLUMNS) =>
    prepareRows(db, `SELECT ${columns} FROM events WHERE ${rest}`)
  const page = 'position > ? AND position <= ? ORDER BY position LIMIT ?'
  const range = select(page)
  const fields = ['game', 'board', 'time'].map((name) => `meta ->> '$.${name}'`)
  const indexed = select(page, ['position, id, stream, revision', ...fields].join(', '))
  const one = select('position = ?')
  const owner = 'position, id, stream, revision'
  const ownerOf = select('position = ?', owner)
  const owners = select(page, owner)
  const revisions = select('stream = ? ORDER BY position', 'revision')
  const among = 'position IN (SELECT value FROM json_each(?)) ORDER BY position'
  const many = select(among)
  const brief = select(among, 'position, stream, revision, type, data, meta')
  function ownerAt(sequence: number): EventOwner | null {
    const row: OwnerRow | undefined = ownerOf.get(sequence)
    return row === undefined ? null : ownerIn(row)
  }
  const last = db.prepare('SELECT max(position) AS last FROM events')

  return {
    all({ after, head, limit }) {
      const rows: EventRow[] = range.all(after, head, limit)
      return checked(() => rows.map(storedEvent))
    },
    indexed({ after, head, limit }) {
      const rows: IndexedRow[] = checked(() => indexed.all(after, head, limit))
      return rows.map(indexedRow)
    },
    at(sequences) {
      if (sequences.length === 0) return []
      const rows: EventRow[] = sequences.length === 1 ? one.all(sequences[0]) : many.all(JSON.stringify(sequences))
      return checked(() => rows.map(storedEvent))
    },
    briefAt(sequences) {
      if (sequences.length === 0) return []
      const rows: BriefRow[] = brief.all(JSON.stringify(sequences))
      return checked(() => rows.map(briefEvent))
    },
    owners: ({ after, head, limit }) => (owners.all(after, head, limit) as OwnerRow[]).map(ownerIn),
    ownerAt,
    revisionsOf: (stream) => (revisions.all(stream) as (readonly [number])[]).map(([revision]) => revision),
    streamAt: (sequence) => ownerAt(sequence)?.stream ?? null,
    lastSequence: () => (last.get() as { last: number | null }).last ?? 0,
  }
}

type OwnerRow = readonly [sequence: number, id: string, stream: string, revision: number]

const ownerIn = ([sequence, id, stream, revision]: OwnerRow): EventOwner => ({ sequence, id, stream, revision })

/** The error of Node, or SQLite's, for a text that is not JSON. */
const isOfJson = (error: unknown): boolean =>
  error instanceof SyntaxError || (error instanceof Error && error.message === 'malformed JSON')

type IndexedRow = readonly [
  sequence: number,
  id: string,
  stream: string,
  revision: number,
  game: string | null,
  board: string | null,
  time: string,
]

const indexedRow = ([sequence, id, stream, revision, game, board, time]: IndexedRow): IndexedEvent => ({
  sequence,
  id,
  stream,
  revision,
  filters: filtersOf(game, board),
  time,
})

type BriefRow = readonly [sequence: number, stream: string, revision: number, type: string, data: string, meta: string]

const briefEvent = ([sequence, stream, revision, type, data, meta]: BriefRow): BriefEvent => ({
  type,
  stream,
  revision,
  position: positionOf(sequence),
  data: JSON.parse(data),
  meta,
})
