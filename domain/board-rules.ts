// The rules of a leaderboard: how its entries are ordered and which scores it accepts.

import { Refusal } from './decider.ts'
import { compareDecimals, type Decimal } from './decimal.ts'

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

/** Absent rules stay unchanged. */
export type RulesChange = { readonly [K in keyof Rules]?: Rules[K] | undefined }

/** The rules after a change. Throws 400 `malformed` if no score would be within the bounds. */
export function rulesAfter(present: Rules, change: RulesChange): Rules {
  const rules = { ...present, ...defined(change) }
  checkBounds(rules)
  return rules
}

export function checkBounds(rules: Rules): void {
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
