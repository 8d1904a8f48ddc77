// `window=best` on a unique board, with filters: each player's best submission made inside the window, in rank order. No step
// goes through more than some hundred entries.

import { foldCase } from '../fold-case.ts'
import { sorted } from '../past/sort.ts'
import type { Slices } from '../slices.ts'
import { bestPerPlayer, type Window } from './best-per-player.ts'
import { everyEntry } from './board.ts'
import { type Entry, inWindow, type Ranked } from './entry.ts'
import { type Members, pageAround, pageOfMembers } from './narrowed.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'
import { filterOf } from './score-bounds.ts'

/** Names read at once, and entries handled before the clock is read. */
const PAGE = 100

/** O(history + n log n), in slices. */
export async function bestPage(reader: Reader, query: ScoresQuery, slices: Slices): Promise<ScoresPage> {
  const { own, ...all } = await matchingOf(await bestInWindow(reader, query, slices), query, slices)
  if (query.around === null) return pageOfMembers(reader, all, query, slices)
  return pageAround(reader, all, { own, limit: query.limit })
}

/** In no order. Only players who have an entry on the board now. */
async function bestInWindow(reader: Reader, window: Window, slices: Slices): Promise<Entry[]> {
  const everyone = await everyEntry(reader, slices)
  const best = await bestPerPlayer(reader, window, slices)
  const entries: Entry[] = []
  for (let from = 0; from < everyone.length; from += PAGE) {
    const present = everyone.slice(from, from + PAGE).flatMap((entry) => {
      const sent = best.get(entry.player)
      return sent === undefined ? [] : [{ entry, sent }]
    })
    const names = present.length === 0 ? [] : await reader.names(present.map(({ entry }) => entry.player))
    for (const [i, { entry, sent }] of present.entries()) {
      entries.push(inWindow(entry, sent, names[i] ?? null, reader.rules))
    }
    await slices.turnIfDue()
  }
  return entries
}

interface Matching extends Members {
  /** With `around`: the player's, whether or not it matches. */
  readonly own: Ranked | null
}

/** Puts entries in rank order and filters them. */
async function matchingOf(entries: readonly Entry[], query: ScoresQuery, slices: Slices): Promise<Matching> {
  const matches = filterOf(query, foldCase)
  const members: string[] = []
  const matching: number[] = []
  const known = new Map<string, Entry>()
  let own: Ranked | null = null
  for (const [place, slot] of (await rankOrder(entries, slices)).entries()) {
    if (place % PAGE === 0) await slices.turnIfDue()
    const entry = entries[slot] as Entry
    members.push(entry.member)
    if (entry.player === query.around) own = { entry, rank: place + 1 }
    if (!matches(entry)) continue
    matching.push(place)
    known.set(entry.member, entry)
  }
  return { members, matching: Uint32Array.from(matching), known, own }
}

/** Indexes of the entries, the best one first. */
function rankOrder(entries: readonly Entry[], slices: Slices): Promise<Uint32Array> {
  const slots = new Uint32Array(entries.length)
  for (let slot = 0; slot < slots.length; slot++) slots[slot] = slot
  const isBefore = (a: number, b: number) => (entries[a] as Entry).member < (entries[b] as Entry).member
  // No number decides: every comparison is of members.
  const keys = new Float64Array(entries.length)
  return slices.result(sorted(slots, keys, (a, b) => (isBefore(a, b) ? -1 : 1)))
}
