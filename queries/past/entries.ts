// The entries of a past board in the form of live ones: the fields of their rows, with details and names.

import { unsafeCast } from '../../domain/event.ts'
import { isoOf } from '../../domain/iso.ts'
import { detailsOf, NO_DETAILS, type ScoreDetails, scoreStream } from '../../domain/score.ts'
import type { EntryRow } from '../../ranking/board-fold/row.ts'
import { fieldsOfSortKey } from '../../ranking/sort-key.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { QueryDeps } from '../deps.ts'
import { presentNames } from '../present-players.ts'
import { type Entry, entryShowing } from '../scores/entry.ts'
import type { PastBoard } from './board.ts'
import type { PastDeps } from './deps.ts'
import { eventsOf } from './reading.ts'

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

/** `present` is the player's current name. */
export function entryFrom(past: PastBoard, own: EntryRow, details: ScoreDetails, present: string | null): Entry {
  const { player, id, addedMs } = own
  const { board, fold, key } = past
  const sortKey = own.sortKey ?? ''
  const values = fieldsOfSortKey(sortKey, fold.rules)
  const updated = isoOf(values.timeMs)
  const added = addedMs === null || addedMs === values.timeMs ? updated : isoOf(addedMs)
  const frame = {
    id,
    board: board.id,
    generation: board.generation,
    player,
    ranking: key,
    member: sortKey,
    added,
    updated,
  }
  return entryShowing(frame, values, details, present)
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
  const areBare = entryRows.every(({ bare }) => bare)
  const details = areBare ? [] : await detailsOfRows(deps, past, entryRows, slices)
  return entryRows.map((own, i) => entryFrom(past, own, details[i] ?? NO_DETAILS, present[i] ?? null))
}

// The details that were submitted with the scores of a past board. The board does not keep them: they are read from the
// history when they are shown.

/** With more entries than this the board's history is scanned once instead of reading each submission. */
const MAX_SINGLE_READS = 200

/** In the order of `entryRows`. O(1) each, or O(history) for many. */
async function detailsOfRows(
  deps: PastDeps,
  past: PastBoard,
  entryRows: readonly EntryRow[],
  slices: () => TimeSlices,
): Promise<ScoreDetails[]> {
  const full = entryRows.filter(({ bare }) => !bare)
  const found =
    full.length > MAX_SINGLE_READS ? await fromHistory(deps, past, full, slices()) : await singly(deps, past, full)
  return entryRows.map((own) => (own.bare ? NO_DETAILS : (found.get(keyOf(own)) ?? NO_DETAILS)))
}

const keyOf = ({ player, revision }: Pick<EntryRow, 'player' | 'revision'>): string => `${player} ${revision}`

async function singly(
  { log }: PastDeps,
  { board }: PastBoard,
  entryRows: readonly EntryRow[],
): Promise<Map<string, ScoreDetails>> {
  const found = await Promise.all(
    entryRows.map(async (own) => {
      const [event] = await log.readStream(scoreStream(board.id, own.player), own.revision, 1)
      return [keyOf(own), event === undefined ? NO_DETAILS : detailsOf(unsafeCast(event.data))] as const
    }),
  )
  return new Map(found)
}

async function fromHistory({ queries }: PastDeps, past: PastBoard, entryRows: readonly EntryRow[], slices: TimeSlices) {
  const wanted = new Set(entryRows.map(keyOf))
  const found = new Map<string, ScoreDetails>()
  const { board, cut } = past
  for await (const page of eventsOf(queries.history.part, board.id, { after: null, last: cut }, slices)) {
    for (const { type, meta, revision, data } of page) {
      const key = keyOf({ player: meta.player ?? '', revision })
      if (type === 'ScoreSubmitted' && wanted.has(key)) found.set(key, detailsOf(unsafeCast(data)))
    }
  }
  return found
}
