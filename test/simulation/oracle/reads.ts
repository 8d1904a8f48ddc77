// What a page that was read may say: some state of the model, or one on the way from one state to the next.

import type { PageRead } from '../history.ts'
import type { Model } from '../model/model.ts'
import { same } from './same.ts'

interface Row {
  readonly id: string
  readonly player: string
  readonly score: string
}

/** Entries of one player of which every choice is tried. */
const CHOSEN_MOST = 12

/** A board's entries in their order, best first; none where there is no such board yet. */
export function rowsOf(model: Model, board: string): Row[] {
  if (!model.boards.has(board)) return []
  return model.ranking(board).map(({ id, player, score }) => ({ id, player, score }))
}

export function shows(model: Model, read: PageRead): boolean {
  return model.boards.has(read.board) && isPageOf(rowsOf(model, read.board), read)
}

/** Whether it is a page of the board with some of one player's entries, of those that one of the two states has and the other lacks. */
export function showsPartly(before: readonly Row[], after: readonly Row[], player: string, read: PageRead): boolean {
  const whole = before.length > after.length ? before : after
  const own = whole.filter((row) => row.player === player)
  if (own.length > CHOSEN_MOST)
    throw new Error(`${player} has ${own.length} entries on a board: more than are tried here`)
  for (let chosen = 0; chosen < 2 ** own.length; chosen++) {
    const hidden = new Set(own.filter((_, at) => (chosen & (2 ** at)) !== 0))
    const rows = whole.filter((row) => !hidden.has(row))
    if (isPageOf(rows, read)) return true
  }
  return false
}

function isPageOf(best: readonly Row[], { query, rows }: PageRead): boolean {
  const { order, offset, limit, around } = query
  const ranked = best.map(({ id, player, score }, i) => ({ id, player, score, rank: i + 1 }))
  if (order === 'worst') ranked.reverse()
  if (around === null) return same(rows, ranked.slice(offset, offset + limit))
  const own = ranked.filter(({ player }) => player === around)
  if (own.length === 0) return rows.length === 0
  // Where each submission is an entry, a better one may be ranked already and not be known yet as the player's best.
  return own.some(({ rank }) => {
    const first = Math.max(0, Math.min(rank - 1 - Math.floor(limit / 2), ranked.length - limit))
    return same(rows, ranked.slice(first, first + limit))
  })
}
