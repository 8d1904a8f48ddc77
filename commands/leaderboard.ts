// Making, describing and archiving leaderboards, asking for other rules, and building what those make of their entries.

import type { Decision } from '../domain/decider.ts'
import {
  archiveLeaderboard,
  boardStream,
  changeLeaderboard,
  createLeaderboard,
  type Leaderboard,
  type LeaderboardChange,
  leaderboard,
  type NewLeaderboard,
} from '../domain/leaderboard.ts'
import { cancelRebuild, type RebuildEvent, rebuildLeaderboard } from '../domain/rebuild.ts'
import type { CommandDeps } from './command-deps.ts'
import type { Intent } from './intent.ts'
import * as slots from './slots.ts'

interface BoardPlace {
  readonly board: string
  readonly game: string
}

const about = (board: string, game: string) => ({ stream: boardStream(board), game, board })

/** 422 `too_many_leaderboards`. */
export async function makeLeaderboard(deps: CommandDeps, game: string, data: NewLeaderboard, intent: Intent) {
  const id = intent.mint.id('leaderboard')
  const decision = createLeaderboard(data)
  await slots.take(deps, game, { kind: 'leaderboards', id }, intent)
  return { id, handled: await deps.handler.handle(leaderboard, about(id, game), intent, decision) }
}

/** What a rebuild that this call asks for is known by. */
const rebuildId = ({ mint }: Intent): string => mint.id('rebuild')

/** `expect` refuses when the leaderboard is not as the caller last saw it. Other rules ask for a rebuild. */
export function setLeaderboard(
  deps: CommandDeps,
  { board, game }: BoardPlace,
  { change, expect }: { readonly change: LeaderboardChange; readonly expect: (state: Leaderboard) => void },
  intent: Intent,
) {
  const decision = changeLeaderboard(change, change.rules === undefined ? '' : rebuildId(intent), expect)
  return deps.handler.handle(leaderboard, about(board, game), intent, decision)
}

export async function archive(deps: CommandDeps, board: string, game: string, intent: Intent) {
  const handled = await deps.handler.handle(leaderboard, about(board, game), intent, archiveLeaderboard)
  await slots.release(deps, game, { kind: 'leaderboards', id: board, isGone: slots.isEnding(handled) }, intent)
  return handled
}

/** Recomputes a board's entries under the rules in force. */
export function rebuild(deps: CommandDeps, { board, game }: BoardPlace, intent: Intent) {
  return deps.handler.handle(leaderboard, about(board, game), intent, rebuildLeaderboard(rebuildId(intent)))
}

export function cancel(deps: CommandDeps, { board, game }: BoardPlace, intent: Intent) {
  return deps.handler.handle(leaderboard, about(board, game), intent, cancelRebuild)
}

/** One step of building or clearing a generation. */
export function goOn(
  deps: CommandDeps,
  { board, game }: BoardPlace,
  step: Decision<Leaderboard | null, RebuildEvent>,
  intent: Intent,
) {
  return deps.handler.handle(leaderboard, about(board, game), intent, step)
}
