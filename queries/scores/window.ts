// Each player's best submission made inside a window of a unique board, in rank order,
// from the board's recorded history.

import { momentOf, type StoredEvent, shaped } from '../../domain/event.ts'
import { bestOf, type ScoreEvent } from '../../domain/score.ts'
import { historyPages } from '../../stores/contract/history.ts'
import { foldCase } from '../fold-case.ts'
import type { Slices } from '../slices.ts'
import { everyEntry } from './board.ts'
import { type Entry, inWindow, type Sent } from './entry.ts'
import { centred, inOrder } from './order.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'
import { filterOf } from './score-bounds.ts'

/** Events read at once. */
const PAGE = 100

/** `window=best` on a unique board, with filters. O(history), in slices. */
export async function bestPage(reader: Reader, query: ScoresQuery, slices: Slices): Promise<ScoresPage> {
  const { around, order, offset, limit } = query
  const inside = await bestInWindow(reader, query, slices)
  const ranked = inside.map((entry, i) => ({ entry, rank: i + 1 }))
  const matches = filterOf(query, foldCase)
  const matching = ranked.filter(({ entry }) => matches(entry))
  const count = matching.length
  if (around === null) return { rows: inOrder(matching, order).slice(offset, offset + limit), count, offset }
  const own = ranked.find(({ entry }) => entry.player === around) ?? null
  if (own === null) return { rows: [], count, offset: 0, own: null }
  const before = matching.filter(({ rank }) => rank < own.rank).length
  const first = centred(before, count, limit)
  return { rows: matching.slice(first, first + limit), count, offset: first, own }
}

type Window = Pick<ScoresQuery, 'since' | 'until'>

/** In rank order. Only players who stand on the board now. */
async function bestInWindow(reader: Reader, window: Window, slices: Slices): Promise<Entry[]> {
  const everyone = await everyEntry(reader, slices)
  const best = await bestPerPlayer(reader, window, slices)
  const present = everyone.filter(({ player }) => best.has(player))
  const names = await reader.names(present.map(({ player }) => player))
  const asIs = (entry: Entry, i: number) =>
    inWindow(entry, best.get(entry.player) as Sent, names[i] ?? null, reader.rules)
  const entries = present.map(asIs)
  return entries.sort((a, b) => (a.member < b.member ? -1 : 1))
}

async function bestPerPlayer(reader: Reader, { since, until }: Window, slices: Slices): Promise<Map<string, Sent>> {
  const { rules, generation } = reader
  const best = new Map<string, Sent>()
  /** Where rules have ever changed, one submission of several may have been deleted: player -> all that count. */
  const all = new Map<string, Sent[]>()
  for await (const event of historyOf(reader, slices)) {
    const player = event.meta.player ?? ''
    const { type, data } = shaped<ScoreEvent>(event)
    if (type === 'ScoreDeleted') {
      const left = data.upTo === null ? (all.get(player) ?? []).filter((one) => one.id !== data.id) : []
      all.set(player, left)
      const next = bestOf(rules, left)
      if (next === null) best.delete(player)
      else best.set(player, next)
    }
    if (type !== 'ScoreSubmitted') continue
    const { time } = event.meta
    if ((since !== null && time < since) || (until !== null && time >= until)) continue
    const sent: Sent = { ...data, ...momentOf(event) }
    if (generation > 1) all.set(player, [...(all.get(player) ?? []), sent])
    const before = best.get(player)
    if (bestOf(rules, before === undefined ? [sent] : [before, sent]) === sent) best.set(player, sent)
  }
  return best
}

async function* historyOf({ deps, board }: Reader, slices: Slices): AsyncIterable<StoredEvent> {
  const between = () => slices.turnIfDue()
  for await (const page of historyPages(deps.history.part, { board }, { limit: PAGE }, between)) yield* page
}
