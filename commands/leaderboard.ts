// Commands that create, describe, archive and recompute leaderboards, and request other rules for them.

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
import { cancelRuleChange, type RuleChangeEvent, recomputeEntries } from '../domain/rule-change.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import * as slots from './slots.ts'

interface BoardRef {
  readonly board: string
  readonly game: string
}

const about = (board: string, game: string) => ({ stream: boardStream(board), game, board })

/** 422 `too_many_leaderboards`. */
export async function makeLeaderboard(deps: CommandDeps, game: string, data: NewLeaderboard, context: CommandContext) {
  const id = context.generator.id('leaderboard')
  const decision = createLeaderboard(data)
  await slots.take(deps, game, { kind: 'leaderboards', id }, context)
  return { id, handled: await deps.handler.handle(leaderboard, about(id, game), context, decision) }
}

/** The id of a rule change that this call requests. */
const ruleChangeId = ({ generator }: CommandContext): string => generator.id('rebuild')

/** `expect` throws if the leaderboard has changed since the caller read it. Other rules request a rule change. */
export function setLeaderboard(
  deps: CommandDeps,
  { board, game }: BoardRef,
  { change, expect }: { readonly change: LeaderboardChange; readonly expect: (state: Leaderboard) => void },
  context: CommandContext,
) {
  const decision = changeLeaderboard(change, change.rules === undefined ? '' : ruleChangeId(context), expect)
  return deps.handler.handle(leaderboard, about(board, game), context, decision)
}

export async function archive(deps: CommandDeps, board: string, game: string, context: CommandContext) {
  const handled = await deps.handler.handle(leaderboard, about(board, game), context, archiveLeaderboard)
  await slots.release(deps, game, { kind: 'leaderboards', id: board, isGone: slots.isEnding(handled) }, context)
  return handled
}

/** Recomputes a board's entries under the rules in force. */
export function recompute(deps: CommandDeps, { board, game }: BoardRef, context: CommandContext) {
  return deps.handler.handle(leaderboard, about(board, game), context, recomputeEntries(ruleChangeId(context)))
}

export function cancel(deps: CommandDeps, { board, game }: BoardRef, context: CommandContext) {
  return deps.handler.handle(leaderboard, about(board, game), context, cancelRuleChange)
}

/** Records one step of building or clearing a generation. */
export function advanceRuleChange(
  deps: CommandDeps,
  { board, game }: BoardRef,
  step: Decision<Leaderboard | null, RuleChangeEvent>,
  context: CommandContext,
) {
  return deps.handler.handle(leaderboard, about(board, game), context, step)
}
