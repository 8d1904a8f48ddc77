// The model of a leaderboard's rules: which submissions count, what an entry shows of them, and how entries are
// ordered. Sums and comparisons are of integers.

import { canonical, scaled } from '../../model/big-decimal.ts'
import type { Sent } from './model.ts'

export interface ModelRules {
  readonly ordering: 'asc' | 'desc'
  readonly secondaryOrdering: 'asc' | 'desc'
  readonly unique: boolean
  /** As stored: absent for the best one. */
  readonly keep?: 'latest' | 'total'
  readonly minScore: string | null
  readonly maxScore: string | null
}

/** As a caller names them. */
export type ModelRulesChange = Partial<Omit<ModelRules, 'keep'>> & { readonly keep?: 'best' | 'latest' | 'total' }

export function changedRules({ keep: before, ...present }: ModelRules, change: ModelRulesChange): ModelRules {
  const { keep = before ?? 'best', ...others } = change
  const rules = { ...present, ...others }
  return keep === 'best' ? rules : { ...rules, keep }
}

/** Whether a caller may choose them. */
export const areValid = ({ unique, keep }: ModelRules): boolean => unique || keep === undefined

export const sameRules = (a: ModelRules, b: ModelRules): boolean => textOf(a) === textOf(b)

const textOf = ({ ordering, secondaryOrdering, unique, keep, minScore, maxScore }: ModelRules): string =>
  JSON.stringify([ordering, secondaryOrdering, unique, keep ?? null, minScore, maxScore])

type Values = Pick<Sent, 'score' | 'secondary'>

/** Scores and secondary scores on a board of totals must be between minus and plus this. */
const TOTALLED_BELOW = scaled(`1${'0'.repeat(24)}`)

/** The code with which a submission is refused; null if it counts. */
export function refusalOf(rules: ModelRules, { score, secondary }: Values): string | null {
  const value = scaled(score)
  if (rules.minScore !== null && value < scaled(rules.minScore)) return 'score_below_minimum'
  if (rules.maxScore !== null && value > scaled(rules.maxScore)) return 'score_above_maximum'
  if (rules.keep !== 'total') return null
  for (const totalled of [value, ...(secondary === null ? [] : [scaled(secondary)])]) {
    if (totalled >= TOTALLED_BELOW) return 'score_above_maximum'
    if (totalled <= -TOTALLED_BELOW) return 'score_below_minimum'
  }
  return null
}

export const isCounted = (rules: ModelRules, sent: Values): boolean => refusalOf(rules, sent) === null

/** The submission whose details, time and place in the log the entry shows. They are in the order of the log. */
export function keptOf(rules: ModelRules, counted: readonly Sent[]): Sent {
  const [last] = counted.slice(-1)
  if (last === undefined) throw new Error('an entry of no submission')
  return rules.keep !== undefined ? last : counted.reduce((best, one) => (beats(rules, one, best) ? one : best))
}

/** What the entry shows as score and secondary score. */
export function valuesOf(rules: ModelRules, counted: readonly Sent[]): Values {
  if (rules.keep !== 'total') return keptOf(rules, counted)
  const secondaries = counted.flatMap(({ secondary }) => secondary ?? [])
  return {
    score: sumOf(counted.map(({ score }) => score)),
    secondary: secondaries.length === 0 ? null : sumOf(secondaries),
  }
}

const sumOf = (texts: readonly string[]): string => canonical(texts.reduce((sum, text) => sum + scaled(text), 0n))

export function beats(rules: ModelRules, a: Values, b: Values): boolean {
  return compareValues(rules, a, b) < 0
}

/** Negative if `a` ranks before `b` by its values. */
export function compareValues(rules: ModelRules, a: Values, b: Values): number {
  const byScore = compare(a.score, b.score) * (rules.ordering === 'asc' ? 1 : -1)
  if (byScore !== 0 || a.secondary === b.secondary) return byScore
  if (a.secondary === null) return 1
  if (b.secondary === null) return -1
  return compare(a.secondary, b.secondary) * (rules.secondaryOrdering === 'asc' ? 1 : -1)
}

function compare(a: string, b: string): number {
  const difference = scaled(a) - scaled(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
