// What a page that was read may say: some state of the model, or one on the way from one state to the next.

import type { PageRead } from '../history.ts'
import type { Model } from '../model/model.ts'
import { same } from './same.ts'

interface Row {
  readonly id: string
  readonly player: string
  readonly score: string
}

/** A board's entries in their order, best first; none where there is no such board yet. */
export function rowsOf(model: Model, board: string): Row[] {
  if (!model.boards.has(board)) return []
  return model.ranking(board).map(({ id, player, score }) => ({ id, player, score }))
}

export function shows(model: Model, read: PageRead): boolean {
  return model.boards.has(read.board) && isPageOf(rowsOf(model, read.board), read)
}

/**
 * Whether it is a page of the board with some of one player's entries, of those that one of the two states has and the other
 * lacks: what lies between its rows is theirs alone, and so many of theirs lie before and behind it as its ranks leave room for.
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
  const places = read.rows.map((row) => whole.findIndex(({ id, score }) => id === row.id && score === row.score))
  const [from, to] = [places[0] ?? -1, places.at(-1) ?? -1]
  const step = order === 'worst' ? -1 : 1
  const isInOrder = read.rows.every(({ rank }, at) => {
    return (places[at] ?? -1) > (places[at - 1] ?? -1) && rank === (first.rank ?? 0) + at * step
  })
  const shown = new Set(places)
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
  // Where each submission is an entry, a better one may be ranked already and not be known yet as the player's best.
  return own.some(({ rank }) => {
    const first = Math.max(0, Math.min(rank - 1 - Math.floor(limit / 2), ranked.length - limit))
    return same(rows, ranked.slice(first, first + limit))
  })
}
