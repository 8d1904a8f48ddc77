// The rows of `window=best` on a unique board that has a window index: each player's entry as their best submission
// inside the window.

import { recordedAt, unsafeCast } from '../../domain/event.ts'
import type { ScoreSubmittedData } from '../../domain/score.ts'
import { idOfMember } from '../../ranking/member.ts'
import type { WindowIndex } from '../../ranking/window-index.ts'
import type { BestInside, IndexedWindows } from '../windows/indexed.ts'
import { type Entry, inWindow } from './entry.ts'
import type { Inside } from './inside.ts'
import type { Reader } from './reader.ts'

/** Maximum entries read per id: an id may belong to one entry in each generation. */
const MAX_GENERATIONS = 1_000

/** The index contains only players with a submission inside the window. */
export function bestInside(reader: Reader, windows: IndexedWindows, best: BestInside, index: WindowIndex): Inside {
  const { board } = reader
  const insideOf = async (entries: readonly Entry[]): Promise<Entry[]> => {
    const events = await Promise.all(entries.map(({ player }) => windows.bestOf({ board, best }, player)))
    const names = await reader.names(entries.map(({ player }) => player))
    return entries.flatMap((entry, i) => {
      const event = events[i] ?? null
      if (event === null) return []
      const sent = { ...unsafeCast<ScoreSubmittedData>(event.data), ...recordedAt(event) }
      return [inWindow(entry, sent, names[i] ?? null, best.rules)]
    })
  }
  return {
    ...{ reader, index, since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY },
    async entriesOf(members) {
      const ids = members.map(idOfMember)
      const limit = ids.length * MAX_GENERATIONS
      const found = await reader.find({ index: 'lookup', equal: [], among: ids, limit })
      const byId = new Map(found.filter(({ ranking }) => ranking === reader.key).map((entry) => [entry.id, entry]))
      const inside = await insideOf(ids.flatMap((id) => byId.get(id) ?? []))
      const areSame = inside.length === members.length && inside.every(({ member }, i) => member === members[i])
      return areSame ? inside : null
    },
    async entriesOfPlayer(player) {
      const entry = await reader.bestOf(player)
      return { entries: entry === null ? [] : await insideOf([entry]), isAll: true }
    },
  }
}
