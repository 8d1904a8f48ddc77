// A leaderboard: its name and the rules by which submissions are judged and entries are ordered.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { compareDecimals, type Decimal } from './decimal.ts'

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

export interface Leaderboard {
  readonly name: string
  readonly description: string
  readonly rules: Rules
  readonly created: string
  readonly archived: boolean
}

export const leaderboard: Aggregate<Leaderboard | null, LeaderboardEvent> = {
  name: 'leaderboard',
  initial: null,
  evolve(state, event, moment) {
    if (event.type === 'LeaderboardCreated') return { ...event.data, created: moment.time, archived: false }
    if (state === null) return null
    switch (event.type) {
      case 'LeaderboardDescribed':
        return { ...state, ...event.data }
      case 'LeaderboardArchived':
        return { ...state, archived: true }
      default:
        return state
    }
  },
}

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

/** Changes name and description. Other rules than those in force: 409 `rules_change_unavailable`. */
export function changeLeaderboard(
  change: LeaderboardChange,
  expect: (state: Leaderboard) => void,
): Decision<Leaderboard | null, LeaderboardEvent> {
  return (state) => {
    const present = existing(state)
    expect(present)
    const rules = { ...present.rules, ...defined(change.rules ?? {}) }
    checkBounds(rules)
    if (!sameRules(rules, present.rules)) {
      throw new Refusal(
        'conflict',
        'rules_change_unavailable',
        'The rules of a leaderboard cannot be changed yet. Leave them out, or make another leaderboard.',
      )
    }
    const name = change.name ?? present.name
    const description = change.description ?? present.description
    if (name === present.name && description === present.description) return []
    return [{ type: 'LeaderboardDescribed', data: { name, description } }]
  }
}

export const archiveLeaderboard: Decision<Leaderboard | null, LeaderboardEvent> = (state) => {
  existing(state)
  return [{ type: 'LeaderboardArchived', data: {} }]
}

function existing(state: Leaderboard | null): Leaderboard {
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

function sameRules(a: Rules, b: Rules): boolean {
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
