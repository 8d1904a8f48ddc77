// Reads of generated past boards, in the form of the rows that the model expects.

import { expect } from 'chai'
import { type JsonObject, unsafeCast } from '../../domain/event.ts'
import type { PastBoards } from '../../queries/past/boards.ts'
import { pastReader } from '../../queries/past/reader.ts'
import type { AnsweredEntry } from '../../queries/scores/entry.ts'
import { listRows, UNFILTERED } from '../../queries/scores/list.ts'
import type { ScoresQuery } from '../../queries/scores/query.ts'
import type { ExpectedRow } from './past-model.ts'
import { BOARD, type PastWorld } from './past-world.ts'

export const never = () => new AbortController().signal
export const instant = (asOf: string, signal = never()) => ({ path: ['g'], asOf, signal })

/** The board at an instant, best first; none where it did not exist. */
export async function rowsAt(world: PastWorld, past: PastBoards, asOf: string, window: Partial<ScoresQuery> = {}) {
  const board = await past.at(world.board, instant(asOf))
  if (board === null) return []
  const query = { ...UNFILTERED, order: 'best', offset: 0, limit: 1_000, ...window } as const
  const { rows, count } = await listRows(pastReader(past.deps, board, false, { path: ['g'], signal: never() }), query)
  expect(count).to.equal(rows.length)
  return rows.map(({ rank, entry }) => rowOf(entry, rank))
}

export const rowOf = (
  { id, player, score, secondary, extra, added, updated }: AnsweredEntry,
  rank: number,
): ExpectedRow => {
  return { id, player, rank, score, secondary, extra, added, updated }
}

/** The times of its events, in order. */
export const timesOf = ({ events }: PastWorld) => [...new Set(events.map(({ meta }) => meta.time))].sort()

/** The same world with views that know the player of each submission, as of scores that were deleted. */
export function withOwners(world: PastWorld): PastWorld['deps'] {
  const { deps, events, board } = world
  const { views } = deps.queries
  const ownerOf = (id: string) =>
    events.find(({ type, data }) => type === 'ScoreSubmitted' && data.id === id)?.meta.player ?? null
  const get: typeof views.get = async (view, collection, ids) => {
    if (view !== 'past' || collection !== 'scores') return views.get(view, collection, ids)
    return ids.map((id) => {
      const player = ownerOf(id)
      return player === null ? null : { id, pos: '', body: { game: board.game, board: BOARD, player } }
    })
  }
  const current: typeof views.current = async (view, _, ids) =>
    ids.map((id) =>
      view === 'leaderboards' && id === BOARD ? { id, pos: '', body: unsafeCast<JsonObject>(board) } : null,
    )
  return { ...deps, queries: { ...deps.queries, views: { ...views, get, current } } }
}
