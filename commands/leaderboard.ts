// Commands that create, describe, archive and rebuild leaderboards, and request other rules or seasons for them.

import type { Decision } from '../domain/decider.ts'
import {
  archiveLeaderboard,
  changeLeaderboard,
  createLeaderboard,
  type Leaderboard,
  type LeaderboardChange,
  leaderboard,
  type NewLeaderboard,
} from '../domain/leaderboard.ts'
import { cancelRuleChange, rebuildEntries as decideRebuild, type RuleChangeEvent } from '../domain/rule-change.ts'
import { aboutBoard, type BoardRef } from './about-board.ts'
import { releaseGivenUp, withClaim } from './board-key.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { byAllClocks } from './seasons.ts'
import * as slots from './slots.ts'

/** 409 `leaderboard_key_taken`, 422 `too_many_leaderboards`. */
export async function makeLeaderboard(deps: CommandDeps, game: string, data: NewLeaderboard, context: CommandContext) {
  const id = context.generator.id('leaderboard')
  const { key = null } = data
  const seasons = await byAllClocks(deps, data.seasons)
  const record = async (claim: string | null) => {
    // Throws for invalid rules, before a slot is taken.
    const decision = createLeaderboard({ ...data, seasons }, claim)
    if (key === null || claim !== null) await slots.take(deps, game, { kind: 'leaderboards', id }, context)
    return deps.handler.handle(leaderboard, aboutBoard({ board: id, game }), context, decision)
  }
  return { id, handled: await withClaim(deps, { game, board: id, key }, context, record) }
}

/** The id of a rule change that this call requests. */
const ruleChangeId = ({ generator }: CommandContext): string => generator.id('rebuild')

/**
 * `expect` throws if the leaderboard has changed since the caller read it. Other rules request a rule change. 409
 * `leaderboard_key_taken` after all other refusals.
 */
export async function setLeaderboard(
  deps: CommandDeps,
  { board, game }: BoardRef,
  { change, expect }: { readonly change: LeaderboardChange; readonly expect: (state: Leaderboard) => void },
  context: CommandContext,
) {
  const ruleChange = change.rules === undefined ? '' : ruleChangeId(context)
  const seasons = await byAllClocks(deps, change.seasons)
  const record = (claim: string | null) => {
    const decision = changeLeaderboard({ ...change, seasons }, ruleChange, expect, claim)
    return deps.handler.handle(leaderboard, aboutBoard({ board, game }), context, decision)
  }
  const handled = await withClaim(deps, { game, board, key: change.key }, context, record)
  await releaseGivenUp(deps, { game, board }, handled, context)
  return handled
}

export async function archive(deps: CommandDeps, board: string, game: string, context: CommandContext) {
  const handled = await deps.handler.handle(leaderboard, aboutBoard({ board, game }), context, archiveLeaderboard)
  await releaseGivenUp(deps, { game, board }, handled, context)
  await slots.release(deps, game, { kind: 'leaderboards', id: board, isGone: slots.isEnding(handled) }, context)
  return handled
}

/** Builds a leaderboard's entries again, under the rules in force. */
export function rebuildEntries(deps: CommandDeps, { board, game }: BoardRef, context: CommandContext) {
  return deps.handler.handle(leaderboard, aboutBoard({ board, game }), context, decideRebuild(ruleChangeId(context)))
}

export function cancel(deps: CommandDeps, { board, game }: BoardRef, context: CommandContext) {
  return deps.handler.handle(leaderboard, aboutBoard({ board, game }), context, cancelRuleChange)
}

/** Records one step of building or clearing a generation. */
export function advanceRuleChange(
  deps: CommandDeps,
  { board, game }: BoardRef,
  step: Decision<Leaderboard | null, RuleChangeEvent>,
  context: CommandContext,
) {
  return deps.handler.handle(leaderboard, aboutBoard({ board, game }), context, step)
}
