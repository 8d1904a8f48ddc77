// A leaderboard: its name, and the rules that decide which scores it accepts and how entries are ordered. After a
// change of rules is requested (domain/rule-change.ts), new entries are computed; the new rules take effect once that
// is done.

import { checkBounds, type Rules, type RulesChange, rulesAfter, sameRules } from './board-rules.ts'
import type { Aggregate, Decision } from './decider.ts'
import {
  endRuleChange,
  evolveRuleChange,
  existing,
  type Generations,
  type RuleChangeEvent,
  requestRuleChange,
  running,
} from './rule-change.ts'
import { streamName } from './streams.ts'

export const boardStream = (board: string): string => streamName('board-', board)

export type LeaderboardEvent =
  | {
      readonly type: 'LeaderboardCreated'
      readonly data: { readonly name: string; readonly description: string; readonly rules: Rules }
    }
  | { readonly type: 'LeaderboardDescribed'; readonly data: { readonly name: string; readonly description: string } }
  | { readonly type: 'LeaderboardArchived'; readonly data: Readonly<Record<string, never>> }
  | RuleChangeEvent

export interface Leaderboard extends Generations {
  readonly name: string
  readonly description: string
  readonly created: string
}

export const leaderboard: Aggregate<Leaderboard | null, LeaderboardEvent> = {
  name: 'leaderboard',
  initial: null,
  evolve(state, event, at) {
    if (event.type === 'LeaderboardCreated') return { ...event.data, ...DEFAULTS, created: at.time }
    if (state === null) return null
    switch (event.type) {
      case 'LeaderboardDescribed':
        return { ...state, ...event.data }
      case 'LeaderboardArchived':
        return { ...state, archived: true }
      default:
        return evolveRuleChange(state, event, at)
    }
  },
}

const DEFAULTS = { archived: false, generation: 1, lastGeneration: 1, rebuild: null, superseded: [] } as const

export interface NewLeaderboard {
  readonly name: string
  readonly description: string
  readonly rules: Rules
}

export function createLeaderboard(data: NewLeaderboard): Decision<Leaderboard | null, LeaderboardEvent> {
  checkBounds(data.rules)
  return (state) => (state === null ? [{ type: 'LeaderboardCreated', data }] : [])
}

export interface LeaderboardChange {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly rules?: RulesChange | undefined
}

/**
 * Changes name and description. Rules other than those in force request a rule change with this `id`; records nothing
 * if the running rule change has these rules, and gives 409 `rebuild_running` if it has others.
 */
export function changeLeaderboard(
  change: LeaderboardChange,
  id: string,
  expect: (state: Leaderboard) => void,
): Decision<Leaderboard | null, LeaderboardEvent> {
  return (state) => {
    const present = existing(state)
    expect(present)
    const events: LeaderboardEvent[] = []
    const name = change.name ?? present.name
    const description = change.description ?? present.description
    if (name !== present.name || description !== present.description) {
      events.push({ type: 'LeaderboardDescribed', data: { name, description } })
    }
    const wanted = change.rules ?? {}
    const rules = rulesAfter(present.rules, wanted)
    if (Object.values(wanted).some((rule) => rule !== undefined)) events.push(...requestRules(present, rules, id))
    return events
  }
}

function requestRules(present: Leaderboard, rules: Rules, id: string): readonly RuleChangeEvent[] {
  const coming = running(present)?.rules ?? present.rules
  return sameRules(rules, coming) ? [] : requestRuleChange(present, rules, id)
}

/** Also cancels a running rule change, so that its entries are removed. */
export const archiveLeaderboard: Decision<Leaderboard | null, LeaderboardEvent> = (state) => [
  ...endRuleChange(existing(state)),
  { type: 'LeaderboardArchived', data: {} },
]
