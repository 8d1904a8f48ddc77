// Reads the events of the embedded log from its file, by sequence number: those of a range, or those that the log's
// index found.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { StoredEvent } from '../../domain/event.ts'
import type { BriefEvent } from '../contract/history.ts'
import { damageError } from './damaged.ts'
import { EVENT_COLUMNS, type EventRow, filtersOf, type IndexedEvent, positionOf, storedEvent } from './log-schema.ts'
import { prepareRows } from './prepare-rows.ts'

/** A range of the log: after one sequence number (exclusive), up to another (inclusive), at most `limit` events. */
interface Stretch {
  readonly after: number
  readonly head: number
  readonly limit: number
}

export interface IndexedPlace {
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
  /** Stream and revision of each event, without its data. */
  places(stretch: Stretch): IndexedPlace[]
  /** Those of one event; null if there is no such event. */
  placeAt(sequence: number): IndexedPlace | null
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
  const placeColumns = 'position, id, stream, revision'
  const placeOf = select('position = ?', placeColumns)
  const places = select(page, placeColumns)
  const revisions = select('stream = ? ORDER BY position', 'revision')
  const among = 'position IN (SELECT value FROM json_each(?)) ORDER BY position'
  const many = select(among)
  const brief = select(among, 'position, stream, revision, type, data, meta')
  function placeAt(sequence: number): IndexedPlace | null {
    const row: PlaceRow | undefined = placeOf.get(sequence)
    return row === undefined ? null : placeIn(row)
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
    places: ({ after, head, limit }) => (places.all(after, head, limit) as PlaceRow[]).map(placeIn),
    placeAt,
    revisionsOf: (stream) => (revisions.all(stream) as (readonly [number])[]).map(([revision]) => revision),
    streamAt: (sequence) => placeAt(sequence)?.stream ?? null,
    lastSequence: () => (last.get() as { last: number | null }).last ?? 0,
  }
}

type PlaceRow = readonly [sequence: number, id: string, stream: string, revision: number]

const placeIn = ([sequence, id, stream, revision]: PlaceRow): IndexedPlace => ({ sequence, id, stream, revision })

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
