// The rules that a leaderboard had, from the events of its history.

import type { GameEvent, LeaderboardRules } from '../api.ts'

interface RecordedRules {
  readonly ordering: LeaderboardRules['ordering']
  readonly secondaryOrdering: LeaderboardRules['ordering']
  readonly unique: boolean
  readonly minScore: string | null
  readonly maxScore: string | null
}

/** The rules in an event; null if it has none. */
export function rulesIn({ data }: Pick<GameEvent, 'data'>): LeaderboardRules | null {
  const rules = data.rules as RecordedRules | undefined
  if (typeof rules !== 'object' || rules === null) return null
  return {
    ordering: rules.ordering,
    secondary_ordering: rules.secondaryOrdering,
    unique: rules.unique,
    min_score: rules.minScore,
    max_score: rules.maxScore,
  }
}

export const sameRules = (a: LeaderboardRules, b: LeaderboardRules): boolean =>
  a.ordering === b.ordering &&
  a.secondary_ordering === b.secondary_ordering &&
  a.unique === b.unique &&
  a.min_score === b.min_score &&
  a.max_score === b.max_score

/**
 * `applied`: the rules at creation and after each change, oldest first. The rules before those in force; null if they
 * are the first.
 */
export function previousRules(applied: readonly LeaderboardRules[]): LeaderboardRules | null {
  const current = applied.at(-1)
  if (current === undefined) return null
  return applied.findLast((rules) => !sameRules(rules, current)) ?? null
}
