// Reading one score: now, or as of an instant.

import { Refusal } from '../../domain/decider.ts'
import type { QueryDeps } from '../deps.ts'
import type { PastBoards } from '../past/boards.ts'
import type { Instant } from '../past/deps.ts'
import { scoreAsOf } from '../past/score.ts'
import type { AnsweredEntry } from './entry.ts'
import { findScore } from './one.ts'

export interface ReadScoreDeps {
  readonly queries: QueryDeps
  readonly past: PastBoards
}

/** A score of a game; `instant` null: now. 404 `score_not_found`. */
export async function readScore(
  { queries, past }: ReadScoreDeps,
  id: string,
  game: string | null,
  instant: Instant | null,
): Promise<AnsweredEntry> {
  if (instant === null) return (await existingScore(queries, id, game)).entry
  const found = await scoreAsOf(past, id, game, instant)
  if (found === null) throw noSuchScore()
  return found
}

/** A present score of a game with its board; a hidden one only with `hiddenToo`. 404 `score_not_found`. */
export async function existingScore(queries: QueryDeps, id: string, game: string | null, hiddenToo = false) {
  const found = await findScore(queries, id, game, hiddenToo)
  if (found === null) throw noSuchScore()
  return found
}

const noSuchScore = () => new Refusal('not_found', 'score_not_found', 'There is no such score.')
