// The rules of a leaderboard: how its entries are ordered, which scores it accepts, and what an entry shows of its
// player's submissions.

import { Refusal } from './decider.ts'
import { compareDecimals, type Decimal } from './decimal.ts'

export type Ordering = 'desc' | 'asc'

/**
 * What the entry of a player shows on a unique board: their best submission, the latest one, or the total of all.
 */
export type Keep = 'best' | 'latest' | 'total'

export type Rules = {
  readonly ordering: Ordering
  readonly secondaryOrdering: Ordering
  /** One entry per player. */
  readonly unique: boolean
  /** Absent: the best one. Always absent if each submission is an entry. */
  readonly keep?: Exclude<Keep, 'best'>
  /** Inclusive bounds. */
  readonly minScore: Decimal | null
  readonly maxScore: Decimal | null
}

export const keepOf = ({ keep }: Pick<Rules, 'keep'>): Keep => keep ?? 'best'

/** Rules as a caller names them. */
export type NamedRules = Omit<Rules, 'keep'> & { readonly keep: Keep }

export function rulesOf({ keep, ...rules }: NamedRules): Rules {
  return keep === 'best' ? rules : { ...rules, keep }
}

/** Absent rules stay unchanged. */
export type RulesChange = { readonly [K in keyof NamedRules]?: NamedRules[K] | undefined }

/** Whether a change names a rule, also one that is in force. */
export const namesRules = (change: RulesChange): boolean => Object.values(change).some((rule) => rule !== undefined)

/** The rules after a change. Throws as `checkRules`. */
export function rulesAfter(present: Rules, change: RulesChange): Rules {
  const named: NamedRules = { ...present, keep: keepOf(present) }
  const rules = rulesOf({ ...named, ...defined(change) })
  checkRules(rules)
  return rules
}

/** Throws 400 `malformed` if no score would be within the bounds, or `keep` does not fit `unique`. */
export function checkRules(rules: Rules): void {
  if (!rules.unique && rules.keep !== undefined) {
    const fault = `is "${rules.keep}", but each submission is an entry (unique is false): keep "best", or set unique to true`
    throw new Refusal('malformed', 'malformed', `keep ${fault}.`, { errors: [{ pointer: '/keep', detail: fault }] })
  }
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
    a.keep === b.keep &&
    a.minScore === b.minScore &&
    a.maxScore === b.maxScore
  )
}

function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
