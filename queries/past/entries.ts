// The entries of a past board in the form of live ones: the fields of their rows, with extra data and names.

import { isoOf } from '../../domain/iso.ts'
import type { EntryRow } from '../../ranking/board-fold/row.ts'
import { fieldsOfMember } from '../../ranking/member-fields.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { QueryDeps } from '../deps.ts'
import { presentNames } from '../present-players.ts'
import type { Entry } from '../scores/entry.ts'
import type { PastBoard } from './board.ts'
import { contentsOf } from './contents.ts'
import type { PastDeps } from './deps.ts'

const NAMES_AT_ONCE = 1_000

/** The current names of players, in order; null for one without a name. Reads a thousand at a time. */
export async function namesOf(
  queries: QueryDeps,
  players: readonly string[],
  slices: () => TimeSlices,
): Promise<(string | null)[]> {
  const found: (string | null)[] = []
  for (let from = 0; from < players.length; from += NAMES_AT_ONCE) {
    if (from > 0) await slices().yield()
    const some = players.length <= NAMES_AT_ONCE ? players : players.slice(from, from + NAMES_AT_ONCE)
    for (const name of await presentNames(queries, queries.viewKey('entries'), some)) found.push(name)
  }
  return found
}

export function entryFrom(past: PastBoard, own: EntryRow, extra: string | null, name: string | null): Entry {
  const { player, id, addedMs } = own
  const { board, fold, key } = past
  const member = own.member ?? ''
  const { score, secondary, timeMs } = fieldsOfMember(member, fold.rules)
  const updated = isoOf(timeMs)
  const added = addedMs === null || addedMs === timeMs ? updated : isoOf(addedMs)
  // Fields are listed one by one: a spread would make each entry ten times as expensive.
  return {
    id,
    board: board.id,
    generation: board.generation,
    player,
    ranking: key,
    member,
    score,
    secondary,
    extra,
    name,
    added,
    updated,
  }
}

/** The complete entries. `entryRows` were read at one moment: nothing else is read from the board. */
export async function wholeEntries(
  deps: PastDeps,
  past: PastBoard,
  entryRows: readonly EntryRow[],
  slices: () => TimeSlices,
): Promise<Entry[]> {
  const players = entryRows.map(({ player }) => player)
  const present = await namesOf(deps.queries, players, slices)
  if (entryRows.every(({ bare }) => bare))
    return entryRows.map((own, i) => entryFrom(past, own, null, present[i] ?? null))
  const contents = await contentsOf(deps, past, entryRows, slices)
  return entryRows.map((own, i) => {
    const { extra = null, playerName = null } = contents[i] ?? {}
    return entryFrom(past, own, extra, playerName ?? present[i] ?? null)
  })
}
