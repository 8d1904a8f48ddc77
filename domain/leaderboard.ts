// A leaderboard: its name and the rules by which submissions are judged and entries are ordered. Other rules are asked
// for, its entries are recomputed under them beside the present ones (domain/rebuild.ts), and only then are they in
// force.

import { checkBounds, type Rules, type RulesChange, rulesAfter, sameRules } from './board-rules.ts'
import type { Aggregate, Decision } from './decider.ts'
import {
  endRebuild,
  evolveRebuild,
  existing,
  type Generations,
  type RebuildEvent,
  requestRebuild,
  running,
} from './rebuild.ts'
import { streamName } from './streams.ts'

export const boardStream = (board: string): string => streamName('board-', board)

export type { Rules }

export type LeaderboardEvent =
  | {
      readonly type: 'LeaderboardCreated'
      readonly data: { readonly name: string; readonly description: string; readonly rules: Rules }
    }
  | { readonly type: 'LeaderboardDescribed'; readonly data: { readonly name: string; readonly description: string } }
  | { readonly type: 'LeaderboardArchived'; readonly data: Readonly<Record<string, never>> }
  | RebuildEvent

export interface Leaderboard extends Generations {
  readonly name: string
  readonly description: string
  readonly created: string
}

export const leaderboard: Aggregate<Leaderboard | null, LeaderboardEvent> = {
  name: 'leaderboard',
  initial: null,
  evolve(state, event, moment) {
    if (event.type === 'LeaderboardCreated') return { ...event.data, ...DEFAULTS, created: moment.time }
    if (state === null) return null
    switch (event.type) {
      case 'LeaderboardDescribed':
        return { ...state, ...event.data }
      case 'LeaderboardArchived':
        return { ...state, archived: true }
      default:
        return evolveRebuild(state, event, moment)
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
 * Changes name and description; for other rules than those in force a rebuild under `id` is asked for. Those that a
 * running rebuild brings already change nothing more; any others while one runs: 409 `rebuild_running`.
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

function requestRules(present: Leaderboard, rules: Rules, id: string): readonly RebuildEvent[] {
  const coming = running(present)?.rules ?? present.rules
  return sameRules(rules, coming) ? [] : requestRebuild(present, rules, id)
}

/** A rebuild that runs is cancelled by it, so that what is built of it is removed. */
export const archiveLeaderboard: Decision<Leaderboard | null, LeaderboardEvent> = (state) => [
  ...endRebuild(existing(state)),
  { type: 'LeaderboardArchived', data: {} },
]
