// Rows of a page of a leaderboard in one shape: as a query answers them, and as the model has them.

import type { Ranked } from '../../../queries/scores/entry.ts'
import type { Model, ModelEntry } from '../model/model.ts'

/** A row as it was answered. */
export function shownRow({ entry, rank }: Ranked) {
  const { id, player, name, score, secondary, extra, added, updated } = entry
  return { id, player, name, score, secondary, extra, added, updated, rank }
}

/** The rows of a page with these entries, in rank order; names are the present ones of `model`. */
export function modelRows(model: Model, ranked: readonly ModelEntry[]) {
  return ranked.map((entry, i) => {
    const { id, player, score, secondary, extra, added, updated } = entry
    return { id, player, name: model.nameBeside(entry), score, secondary, extra, added, updated, rank: i + 1 }
  })
}
