// A leaderboard: its name and the rules by which submissions are judged and entries are ordered. Other rules are asked for, its
// entries are computed anew under them beside those that stand (domain/rebuild.ts), and only then are they in force.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { compareDecimals, type Decimal } from './decimal.ts'
import { evolveRebuild, type Rebuild, type RebuildEvent, requestRebuild, running, type Superseded } from './rebuild.ts'

export const boardStream = (board: string): string => `board-${board}`

export type Ordering = 'desc' | 'asc'

export type Rules = {
  readonly ordering: Ordering
  readonly secondaryOrdering: Ordering
  /** One entry per player, their best. */
  readonly unique: boolean
  /** Inclusive bounds. */
  readonly minScore: Decimal | null
  readonly maxScore: Decimal | null
}

export type LeaderboardEvent =
  | {
      readonly type: 'LeaderboardCreated'
      readonly data: { readonly name: string; readonly description: string; readonly rules: Rules }
    }
  | { readonly type: 'LeaderboardDescribed'; readonly data: { readonly name: string; readonly description: string } }
  | { readonly type: 'LeaderboardArchived'; readonly data: Readonly<Record<string, never>> }
  | RebuildEvent

export interface Leaderboard {
  readonly name: string
  readonly description: string
  /** Those in force. */
  readonly rules: Rules
  readonly created: string
  readonly archived: boolean
  /** Which computing of its entries stands, from 1; and the last one that was begun. */
  readonly generation: number
  readonly lastGeneration: number
  /** The rebuild that runs, or ran last. */
  readonly rebuild: Rebuild | null
  /** Generations that stand no more, and are being removed. */
  readonly superseded: readonly Superseded[]
}

export const leaderboard: Aggregate<Leaderboard | null, LeaderboardEvent> = {
  name: 'leaderboard',
  initial: null,
  evolve(state, event, moment) {
    if (event.type === 'LeaderboardCreated') return { ...event.data, ...ASIDE, created: moment.time }
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

const ASIDE = { archived: false, generation: 1, lastGeneration: 1, rebuild: null, superseded: [] } as const

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
  readonly rules?: { [K in keyof Rules]?: Rules[K] | undefined } | undefined
}

/**
 * Changes name and description; for other rules than those in force a rebuild under `id` is asked for. Those that a running
 * rebuild brings already change nothing more; any others while one runs: 409 `rebuild_running`.
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
    const wanted = defined(change.rules ?? {})
    const rules = rulesAfter(present.rules, wanted)
    if (Object.keys(wanted).length > 0) events.push(...requestRules(present, rules, id))
    return events
  }
}

function requestRules(present: Leaderboard, rules: Rules, id: string): readonly RebuildEvent[] {
  const coming = running(present)?.rules ?? present.rules
  return sameRules(rules, coming) ? [] : requestRebuild(present, rules, id)
}

/** The rules that a change leads to. Throws where no score could be submitted. */
export function rulesAfter(present: Rules, change: NonNullable<LeaderboardChange['rules']>): Rules {
  const rules = { ...present, ...defined(change) }
  checkBounds(rules)
  return rules
}

export const archiveLeaderboard: Decision<Leaderboard | null, LeaderboardEvent> = (state) => {
  existing(state)
  return [{ type: 'LeaderboardArchived', data: {} }]
}

export function existing(state: Leaderboard | null): Leaderboard {
  if (state === null || state.archived) {
    throw new Refusal('not_found', 'leaderboard_not_found', 'There is no such leaderboard.')
  }
  return state
}

function checkBounds(rules: Rules): void {
  if (rules.minScore === null || rules.maxScore === null) return
  if (compareDecimals(rules.minScore, rules.maxScore) > 0) {
    throw new Refusal('malformed', 'malformed', 'min_score is above max_score: no score could be submitted.', {
      errors: [{ pointer: '/min_score', detail: 'is above max_score' }],
    })
  }
}

export function sameRules(a: Rules, b: Rules): boolean {
  return (
    a.ordering === b.ordering &&
    a.secondaryOrdering === b.secondaryOrdering &&
    a.unique === b.unique &&
    a.minScore === b.minScore &&
    a.maxScore === b.maxScore
  )
}

function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
