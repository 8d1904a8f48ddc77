// The SQLite schema of the embedded log: one table in log order and no other index, so that an append writes only to
// its end. log-index.ts finds events by stream, game and board. A position is a gapless integer from 1 inside, and
// sixteen hexadecimal digits outside, so that positions compare by code unit.

import type { Position, StoredEvent } from '../../domain/event.ts'

export const LOG_SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    meta TEXT NOT NULL
  );
`

/** The columns of an `EventRow`, in its order. */
export const EVENT_COLUMNS = 'position, stream, revision, id, type, data, meta'

export type EventRow = readonly [
  sequence: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: string,
  meta: string,
]

export function storedEvent([sequence, stream, revision, id, type, data, meta]: EventRow): StoredEvent {
  return { id, type, data: JSON.parse(data), meta: JSON.parse(meta), stream, revision, position: positionOf(sequence) }
}

const DIGITS = 16
const POSITION = /^[0-9a-f]{16}$/

/** The position of the n-th event, from 1. */
export function positionOf(at: number): Position {
  return at.toString(16).padStart(DIGITS, '0')
}

/** The number of a position, 0 for null; undefined for a text that is not a position of this log. */
export function parsePosition(position: Position | null): number | undefined {
  if (position === null) return 0
  return POSITION.test(position) ? Number.parseInt(position, 16) : undefined
}

/** Throws a TypeError for a text that is not a position. */
export function requirePosition(position: Position | null): number {
  const index = parsePosition(position)
  if (index === undefined) throw new TypeError(`${JSON.stringify(position)} is not a position of this log`)
  return index
}

/** What the log's index has of an event. */
export interface IndexedEvent {
  /** Its position. */
  readonly sequence: number
  readonly id: string
  readonly stream: string
  readonly revision: number
  /** Names of its game and board, from `gameName` and `boardName`. */
  readonly filters: readonly string[]
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string
}

export const gameName = (game: string): string => `g${game}`
export const boardName = (board: string): string => `b${board}`

/** The names of an event's game and board. */
export function filtersOf(game: string | null, board: string | null | undefined): string[] {
  const filters = game === null ? [] : [gameName(game)]
  if (board !== null && board !== undefined) filters.push(boardName(board))
  return filters
}

export function indexedEvent(sequence: number, { id, stream, revision, meta }: StoredEvent): IndexedEvent {
  return { sequence, id, stream, revision, filters: filtersOf(meta.game, meta.board), time: meta.time }
}
