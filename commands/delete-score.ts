// Deleting a score from its leaderboard: `deleteScore` has the steps in order.

import { deleteScore as decideDeletion } from '../domain/standing.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { existingScore } from '../queries/scores/read-score.ts'
import type { CommandContext, CommitPosition } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { aboutOf, standingOf, type Target, targetOf } from './score-target.ts'

export interface DeleteDeps {
  readonly commands: CommandDeps
  readonly queries: QueryDeps
}

export interface DeletedScore {
  readonly id: string
  readonly written: CommitPosition | null
  /** The position from which on views show the score as deleted, if this call recorded nothing. */
  readonly unchangedAt: CommitPosition | undefined
  readonly replayed: boolean
}

/** Deletes a score of a game, shown or hidden. 404 `score_not_found`. */
export async function deleteScore(
  { commands, queries }: DeleteDeps,
  id: string,
  game: string | null,
  context: CommandContext,
): Promise<DeletedScore> {
  // A recorded deletion is not looked for: no view has its score any more.
  if (context.repeated) return { id, written: null, unchangedAt: undefined, replayed: true }
  const { entry, board } = await existingScore(queries, id, game, true)
  const { written, replayed, current } = await removeEntry(commands, targetOf(board, entry.player), entry.id, context)
  return { id: entry.id, written, unchangedAt: current?.at, replayed }
}

/** Deletes an entry from its board. 404 `score_not_found` if the board does not have it. */
export function removeEntry(deps: CommandDeps, target: Target, id: string, context: CommandContext) {
  return deps.handler.handle(standingOf(target), aboutOf(target), context, decideDeletion(target.rules, id))
}
