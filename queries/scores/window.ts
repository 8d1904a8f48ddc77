// Each player's best submission made inside a window of a unique board, in rank order,
// from the board's recorded history.

import { momentOf, type StoredEvent, shaped } from '../../domain/event.ts'
import { bestOf, type ScoreEvent } from '../../domain/score.ts'
import { historyPages } from '../../stores/contract/history.ts'
import { everyEntry } from './board.ts'
import { type Entry, inWindow, type Sent } from './entry.ts'
import type { Reader } from './reader.ts'

const PAGE = 5_000

/** In rank order. Only players who stand on the board now. O(history). */
export async function bestInWindow(reader: Reader, since: string | null, until: string | null): Promise<Entry[]> {
  const everyone = await everyEntry(reader)
  const best = await bestPerPlayer(reader, since, until)
  const present = everyone.filter(({ player }) => best.has(player))
  const names = await reader.names(present.map(({ player }) => player))
  const asIs = (entry: Entry, i: number) =>
    inWindow(entry, best.get(entry.player) as Sent, names[i] ?? null, reader.rules)
  const entries = present.map(asIs)
  return entries.sort((a, b) => (a.member < b.member ? -1 : 1))
}

async function bestPerPlayer(reader: Reader, since: string | null, until: string | null): Promise<Map<string, Sent>> {
  const { rules, generation } = reader
  const best = new Map<string, Sent>()
  /** Where rules have ever changed, one submission of several may have been deleted: player -> all that count. */
  const all = new Map<string, Sent[]>()
  for await (const event of historyOf(reader)) {
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

async function* historyOf({ deps, board }: Reader): AsyncIterable<StoredEvent> {
  for await (const page of historyPages(deps.history.part, { board }, { limit: PAGE })) yield* page
}
