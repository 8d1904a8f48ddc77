// Windows of a board that some of its submissions are outside of, and what the model says is inside.

import type { ScoresQuery } from '../../../queries/scores/query.ts'
import type { Random } from '../../random.ts'
import type { Model, ModelEntry, ModelWindow } from '../model/model.ts'

type Window = ModelWindow & Pick<ScoresQuery, 'shownInside'>

/** Twice one window that begins with a submission of the board, and ends before another, if the seed says so. */
export function someWindows(random: Random, { sent }: Model, board: string): readonly Window[] {
  const times = sent.filter((one) => one.board === board).map(({ time }) => time)
  const [a, b] = [random.any(times), random.chance(0.5) ? random.any(times) : null]
  const [since, until] = a !== null && b !== null && a > b ? [b, a] : [a, b]
  if (since === null) return []
  return [false, true].map((shownInside) => ({ since, until, shownInside }))
}

/** What a window shows, in rank order. */
export const entriesInside = (model: Model, board: string, { shownInside, ...window }: Window): ModelEntry[] =>
  shownInside && model.rules(board).unique ? model.ranking(board, window) : model.setInside(board, window)
