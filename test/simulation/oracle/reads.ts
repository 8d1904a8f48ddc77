// Judges a page that was read: it must equal one state of the model, or one between two successive states.

import type { PageRead } from '../history.ts'
import type { Model } from '../model/model.ts'
import { same } from './same.ts'

interface Row {
  readonly id: string
  readonly player: string
  readonly score: string
}

/** A board's entries, best first; empty if the board does not exist yet. */
export function rowsOf(model: Model, board: string): Row[] {
  if (!model.boards.has(board)) return []
  return model.ranking(board).map(({ id, player, score }) => ({ id, player, score }))
}

export function shows(model: Model, read: PageRead): boolean {
  return model.boards.has(read.board) && isPageOf(rowsOf(model, read.board), read)
}

/**
 * True if the page shows the board with only some of the entries of one player that differ between two states: all
 * entries between its rows are that player's, and its ranks fit a number of that player's entries before and after the
 * page.
 */
export function showsPartly(before: readonly Row[], after: readonly Row[], player: string, read: PageRead): boolean {
  const { order, offset, limit, around } = read.query
  const best = before.length > after.length ? before : after
  const whole = order === 'worst' ? best.toReversed() : best
  const mayBe = (count: number, some: readonly Row[]) => {
    const others = some.filter((row) => row.player !== player).length
    return others <= count && count <= some.length
  }
  const [first, last] = [read.rows[0], read.rows.at(-1)]
  if (first === undefined || last === undefined)
    return around === null ? othersOf(whole, player) <= offset : around === player
  const indexes = read.rows.map((row) => whole.findIndex(({ id, score }) => id === row.id && score === row.score))
  const [from, to] = [indexes[0] ?? -1, indexes.at(-1) ?? -1]
  const step = order === 'worst' ? -1 : 1
  const isInOrder = read.rows.every(({ rank }, at) => {
    return (indexes[at] ?? -1) > (indexes[at - 1] ?? -1) && rank === (first.rank ?? 0) + at * step
  })
  const shown = new Set(indexes)
  const isWhole = whole.every((row, at) => at < from || at > to || row.player === player || shown.has(at))
  const [ahead, behind] = [whole.slice(0, from), whole.slice(to + 1)]
  const ranksFit = order === 'worst' ? mayBe((last.rank ?? 0) - 1, behind) : mayBe((first.rank ?? 0) - 1, ahead)
  const isPlaced = around === null ? mayBe(offset, ahead) : read.rows.some((row) => row.player === around)
  const isFull = read.rows.length === limit || othersOf(behind, player) === 0
  return isInOrder && isWhole && ranksFit && isPlaced && isFull
}

const othersOf = (rows: readonly Row[], player: string) => rows.filter((row) => row.player !== player).length

function isPageOf(best: readonly Row[], { query, rows }: PageRead): boolean {
  const { order, offset, limit, around } = query
  const ranked = best.map(({ id, player, score }, i) => ({ id, player, score, rank: i + 1 }))
  if (order === 'worst') ranked.reverse()
  if (around === null) return same(rows, ranked.slice(offset, offset + limit))
  const own = ranked.filter(({ player }) => player === around)
  if (own.length === 0) return rows.length === 0
  // If each submission is an entry, a better one may be ranked before the player's best is updated.
  return own.some(({ rank }) => {
    const first = Math.max(0, Math.min(rank - 1 - Math.floor(limit / 2), ranked.length - limit))
    return same(rows, ranked.slice(first, first + limit))
  })
}
