// The details that were submitted with the scores of a past board. The board does not keep them: they are read from the
// history when they are shown.

import { unsafeCast } from '../../domain/event.ts'
import { detailsOf, NO_DETAILS, type ScoreDetails, scoreStream } from '../../domain/score.ts'
import type { EntryRow } from '../../ranking/board-fold/row.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { PastBoard } from './board.ts'
import type { PastDeps } from './deps.ts'
import { eventsOf } from './reading.ts'

/** With more entries than this the board's history is scanned once instead of reading each submission. */
const MAX_SINGLE_READS = 200

/** In the order of `entryRows`. O(1) each, or O(history) for many. */
export async function detailsOfRows(
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
  const { board, upTo } = past
  if (upTo === null) return found
  for await (const page of eventsOf(queries.history.part, board.id, { after: null, last: upTo }, slices)) {
    for (const { type, meta, revision, data } of page) {
      const key = keyOf({ player: meta.player ?? '', revision })
      if (type === 'ScoreSubmitted' && wanted.has(key)) found.set(key, detailsOf(unsafeCast(data)))
    }
  }
  return found
}
