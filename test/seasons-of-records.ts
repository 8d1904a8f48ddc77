// The seasons of a leaderboard from a list of their records, as the views store them.

import {
  type BoardSeasons,
  FIRST_NUMBERING,
  SEASONS_PER_CHUNK,
  type SeasonRecord,
  type SeasonsHead,
} from '../domain/season-records.ts'
import { rulesOf } from './rules.ts'

/** Season n is at index n − 1. */
export function seasonsOfRecords(records: readonly SeasonRecord[], rest: Partial<SeasonsHead> = {}): BoardSeasons {
  const chunks: SeasonRecord[][] = []
  for (let at = 0; at < records.length; at += SEASONS_PER_CHUNK) chunks.push(records.slice(at, at + SEASONS_PER_CHUNK))
  const head: SeasonsHead = {
    game: 'g1',
    numbering: FIRST_NUMBERING,
    generation: 1,
    rules: rulesOf(true),
    isScheduled: true,
    count: records.length,
    newest: records.slice(-2),
    chunkStarts: chunks.map(([first]) => first?.opened ?? ''),
    ...rest,
  }
  return { head, chunk: (number) => chunks[number] ?? [] }
}
