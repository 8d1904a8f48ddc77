// Reads the embedded log by stream, game, board, or as a whole. Each query gets the position of the last durable
// event and returns nothing after it.

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { StoredEvent } from '../../domain/event.ts'
import type { BriefEvent, HistoryFilter } from '../contract/history.ts'
import { positionOf } from './log-position.ts'
import { EVENT_COLUMNS, type EventRow, storedEvent } from './log-schema.ts'
import { prepareRows } from './prepare-rows.ts'

/** A range of the log: after one index (exclusive), up to another (inclusive), at most `limit` events. */
export interface Stretch {
  readonly after: number
  readonly head: number
  readonly limit: number
}

export interface LogReader {
  stream(stream: string, from: number, stretch: Omit<Stretch, 'after'>): StoredEvent[]
  all(stretch: Stretch): StoredEvent[]
  part(filter: HistoryFilter, stretch: Stretch): StoredEvent[]
  brief(filter: HistoryFilter, stretch: Stretch): BriefEvent[]
  /** The last of `limit` events of that range; empty if there are fewer. */
  nth(filter: HistoryFilter, stretch: Stretch): StoredEvent[]
  /** The index of the last committed event; 0 if the log is empty. */
  lastIndex(): number
}

export function createLogReader(db: DatabaseSyncInstance): LogReader {
  const select = (rest: string, columns: string = EVENT_COLUMNS) =>
    prepareRows(db, `SELECT ${columns} FROM events ${rest}`)
  const page = 'position > ? AND position <= ? ORDER BY position LIMIT ?'
  const ofStream = select('WHERE stream = ? AND revision >= ? AND position <= ? ORDER BY revision LIMIT ?')
  const ofAll = select(`WHERE ${page}`)
  const ofGame = select(`INDEXED BY events_of_game WHERE game = ? AND ${page}`)
  const ofBoard = select(`INDEXED BY events_of_board WHERE board = ? AND ${page}`)
  const brief = 'position, stream, revision, type, data, meta'
  const briefOfGame = select(`INDEXED BY events_of_game WHERE game = ? AND ${page}`, brief)
  const briefOfBoard = select(`INDEXED BY events_of_board WHERE board = ? AND ${page}`, brief)
  const nthOfGame = select(`INDEXED BY events_of_game WHERE game = ? AND ${page} OFFSET ?`)
  const nthOfBoard = select(`INDEXED BY events_of_board WHERE board = ? AND ${page} OFFSET ?`)
  const last = db.prepare('SELECT max(position) AS last FROM events')

  return {
    stream: (stream, from, { head, limit }) => events(ofStream, stream, from, head, limit),
    all: ({ after, head, limit }) => events(ofAll, after, head, limit),
    part: (filter, { after, head, limit }) =>
      'game' in filter
        ? events(ofGame, filter.game, after, head, limit)
        : events(ofBoard, filter.board, after, head, limit),
    brief: (filter, { after, head, limit }) => {
      const rows: BriefRow[] =
        'game' in filter
          ? briefOfGame.all(filter.game, after, head, limit)
          : briefOfBoard.all(filter.board, after, head, limit)
      return rows.map(briefEvent)
    },
    nth: (filter, { after, head, limit }) =>
      'game' in filter
        ? events(nthOfGame, filter.game, after, head, 1, limit - 1)
        : events(nthOfBoard, filter.board, after, head, 1, limit - 1),
    lastIndex: () => (last.get() as { last: number | null }).last ?? 0,
  }
}

type BriefRow = readonly [position: number, stream: string, revision: number, type: string, data: string, meta: string]

const briefEvent = ([at, stream, revision, type, data, meta]: BriefRow): BriefEvent => ({
  type,
  stream,
  revision,
  position: positionOf(at),
  data: JSON.parse(data),
  meta,
})

function events(statement: StatementSyncInstance, ...bound: readonly (string | number)[]): StoredEvent[] {
  const rows: EventRow[] = statement.all(...bound)
  return rows.map(storedEvent)
}
