// What the log's index has of an event.

import type { StoredEvent } from '../../domain/event.ts'
import { requirePosition } from './log-position.ts'

export interface IndexedEvent {
  /** The event's number in the log, from 1. */
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
export const filtersOf = (game: string | null, board: string | null | undefined): string[] => [
  ...(game === null ? [] : [gameName(game)]),
  ...(board === null || board === undefined ? [] : [boardName(board)]),
]

export function indexedEvent({ position, id, stream, revision, meta }: StoredEvent): IndexedEvent {
  const filters = filtersOf(meta.game, meta.board)
  return { sequence: requirePosition(position), id, stream, revision, filters, time: meta.time }
}
