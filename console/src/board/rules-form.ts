// The fields of the rules form as rules of the API.

import type { LeaderboardRules, Ordering } from '../api.ts'

export interface RulesForm {
  readonly ordering: Ordering
  readonly secondary: Ordering
  readonly unique: boolean
  readonly min: string
  readonly max: string
}

export const formOf = (rules: LeaderboardRules): RulesForm => ({
  ordering: rules.ordering,
  secondary: rules.secondary_ordering,
  unique: rules.unique,
  min: rules.min_score ?? '',
  max: rules.max_score ?? '',
})

export const rulesOf = (form: RulesForm): LeaderboardRules => ({
  ordering: form.ordering,
  secondary_ordering: form.secondary,
  unique: form.unique,
  min_score: form.min.trim() === '' ? null : form.min.trim(),
  max_score: form.max.trim() === '' ? null : form.max.trim(),
})
