// The rows of `window=best` on a unique board: a player's entry as their best submission inside the window has it.

import { momentOf, shaped } from '../../domain/event.ts'
import type { ScoreSubmittedData } from '../../domain/score.ts'
import { idOfMember } from '../../ranking/member.ts'
import type { WindowIndex } from '../../ranking/window-index.ts'
import type { BestInside, IndexedWindows } from '../windows/indexed.ts'
import { type Entry, inWindow } from './entry.ts'
import type { Inside } from './inside.ts'
import type { Reader } from './reader.ts'

/** Entries of earlier generations have the ids of these: one each. */
const GENERATIONS_MOST = 1_000

/** The index has nobody but who has a submission inside. */
export function bestInside(reader: Reader, windows: IndexedWindows, best: BestInside, index: WindowIndex): Inside {
  const board = { ...reader, unique: true, best }
  const insideOf = async (entries: readonly Entry[]): Promise<Entry[]> => {
    const events = await Promise.all(entries.map(({ player }) => windows.bestOf(board, player)))
    const names = await reader.names(entries.map(({ player }) => player))
    return entries.flatMap((entry, i) => {
      const event = events[i] ?? null
      if (event === null) return []
      const sent = { ...shaped<ScoreSubmittedData>(event.data), ...momentOf(event) }
      return [inWindow(entry, sent, names[i] ?? null, best.rules)]
    })
  }
  return {
    ...{ reader, index, since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY },
    async entriesOf(members) {
      const ids = members.map(idOfMember)
      const limit = ids.length * GENERATIONS_MOST
      const found = await reader.find({ index: 'lookup', equal: [], among: ids, limit })
      const byId = new Map(found.filter(({ ranking }) => ranking === reader.key).map((entry) => [entry.id, entry]))
      const inside = await insideOf(ids.flatMap((id) => byId.get(id) ?? []))
      const areThose = inside.length === members.length && inside.every(({ member }, i) => member === members[i])
      return areThose ? inside : null
    },
    async entriesOfPlayer(player) {
      const entry = await reader.bestOf(player)
      return { entries: entry === null ? [] : await insideOf([entry]), isAll: true }
    },
  }
}
