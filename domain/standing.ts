// A player's standing on one board: the state that their stream folds to under the board's rules, and the decisions on
// it. On a unique board a deletion removes all earlier submissions, so the first one and what is shown suffice. Once
// rules have changed, the stream may contain deletions of both kinds, so all submissions are held.

import type { Rules } from './board-rules.ts'
import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { addDecimals, compareDecimals, type Decimal, negated } from './decimal.ts'
import { isCounted, limitReached, orderUnder, reduceEntry, shownAfter, TOTALLED_BELOW } from './entry.ts'
import {
  type RecordedSubmission,
  recordedSubmission,
  type ScoreEvent,
  type ScoreSubmittedData,
  type ScoreValues,
} from './score.ts'
import { SubmissionsLeft } from './submissions-left.ts'

export interface Standing {
  /** The first submission not deleted: a unique board's entry has its id, and its time as `added`. */
  readonly first: RecordedSubmission | null
  /**
   * What is shown: of the submissions that count, the best one, or the latest; on a board of totals the latest one,
   * with the sums of all in place of its values. Null if none counts.
   */
  readonly shown: RecordedSubmission | null
}

const NOTHING: Standing = { first: null, shown: null }

/** The submissions in the state: `first and shown` suffices for a unique board whose rules have never changed. */
export type HeldSubmissions = 'first and shown' | 'all'

const made = { 'first and shown': new WeakMap<Rules, Standings>(), all: new WeakMap<Rules, Standings>() }

type Standings = Aggregate<Standing, ScoreEvent>

/** The aggregate for given rules, cached by rules object. */
export function standing(rules: Rules, held: HeldSubmissions = 'first and shown'): Standings {
  const before = made[held].get(rules)
  if (before !== undefined) return before
  const aggregate = standingUnder(rules, !rules.unique || held === 'all')
  made[held].set(rules, aggregate)
  return aggregate
}

function standingUnder(rules: Rules, holdsAll: boolean): Standings {
  const initial: Standing = holdsAll ? AllSubmissions.none(rules) : NOTHING
  return {
    name: `standing ${JSON.stringify(rules)}${holdsAll ? ' of all' : ''}`,
    initial,
    size: (state) => (isAll(state) ? state.left.held : 0),
    evolve(state, event, at) {
      switch (event.type) {
        case 'ScoreSubmitted': {
          const submission = recordedSubmission(event.data, at)
          return isAll(state) ? state.with(submission) : withChange(rules, state, event, submission)
        }
        case 'ScoreDeleted':
          return event.data.upTo === null && isAll(state) ? state.without(event.data.id) : initial
        default:
          return state
      }
    },
  }
}

const isAll = (state: Standing): state is AllSubmissions => state instanceof AllSubmissions

function withChange(
  rules: Rules,
  { first, shown }: Standing,
  event: ScoreEvent,
  submission: RecordedSubmission,
): Standing {
  const change = reduceEntry(rules, first === null ? null : { id: first.id, shown }, event)
  if (typeof change === 'string') return { first: first ?? submission, shown }
  return { first: first ?? submission, shown: change === event.data ? submission : showing(submission, change) }
}

/** A submission with other values. */
const showing = (one: RecordedSubmission, { score, secondary }: ScoreValues): RecordedSubmission => ({
  ...one,
  score,
  secondary,
})

/** All submissions not deleted: for boards that are not unique or whose rules have changed. */
class AllSubmissions implements Standing {
  readonly left: SubmissionsLeft<RecordedSubmission>
  readonly #rules: Rules
  /** Of the submissions that count; null on a board that shows single ones. */
  readonly #total: Total | null

  private constructor(rules: Rules, left: SubmissionsLeft<RecordedSubmission>, total: Total | null) {
    this.#rules = rules
    this.left = left
    this.#total = total
  }

  static none(rules: Rules): AllSubmissions {
    const left = SubmissionsLeft.none<RecordedSubmission>(orderUnder(rules))
    return new AllSubmissions(rules, left, rules.keep === 'total' ? NO_TOTAL : null)
  }

  with(one: RecordedSubmission): AllSubmissions {
    return new AllSubmissions(this.#rules, this.left.with(one), this.#totalAfter(one, 1))
  }

  without(id: string): AllSubmissions {
    const gone = this.left.find(id)
    if (gone === null) return this
    return new AllSubmissions(this.#rules, this.left.without(id), this.#totalAfter(gone, -1))
  }

  #totalAfter(one: RecordedSubmission, by: 1 | -1): Total | null {
    return this.#total === null || !isCounted(this.#rules, one) ? this.#total : changed(this.#total, one, by)
  }

  get first(): RecordedSubmission | null {
    return this.left.first
  }

  get shown(): RecordedSubmission | null {
    const { best } = this.left
    if (best === null || this.#total === null) return best
    const { score, secondary, withSecondary } = this.#total
    return showing(best, { score, secondary: withSecondary === 0 ? null : secondary })
  }
}

/** The sums of scores and secondary scores, and how many submissions have a secondary one. */
interface Total {
  readonly score: Decimal
  readonly secondary: Decimal
  readonly withSecondary: number
}

const ZERO = '0' as Decimal
const NO_TOTAL: Total = { score: ZERO, secondary: ZERO, withSecondary: 0 }

/** `by`: whether a submission joins or leaves. */
function changed({ score, secondary, withSecondary }: Total, one: ScoreValues, by: 1 | -1): Total {
  const plus = (sum: Decimal, value: Decimal) => addDecimals(sum, by === 1 ? value : negated(value))
  if (one.secondary === null) return { score: plus(score, one.score), secondary, withSecondary }
  return {
    score: plus(score, one.score),
    secondary: plus(secondary, one.secondary),
    withSecondary: withSecondary + by,
  }
}

/** A submission that would bring a total to this, or to minus this, is refused. */
const TOTAL_LIMIT = `1${'0'.repeat(30)}` as Decimal

/**
 * Records a submission. 422 `score_below_minimum` or `score_above_maximum` if it cannot count, 422
 * `total_out_of_range`.
 */
export function submitScore(rules: Rules, data: ScoreSubmittedData): Decision<Standing, ScoreEvent> {
  return (state) => {
    if (rules.minScore !== null && compareDecimals(data.score, rules.minScore) < 0) {
      throw new Refusal(
        'unprocessable',
        'score_below_minimum',
        `The score is below the leaderboard’s min_score, ${rules.minScore}.`,
        {
          min_score: rules.minScore,
        },
      )
    }
    if (rules.maxScore !== null && compareDecimals(data.score, rules.maxScore) > 0) {
      throw new Refusal(
        'unprocessable',
        'score_above_maximum',
        `The score is above the leaderboard’s max_score, ${rules.maxScore}.`,
        {
          max_score: rules.maxScore,
        },
      )
    }
    if (rules.keep === 'total') checkTotal(rules, state.shown, data)
    return [{ type: 'ScoreSubmitted', data }]
  }
}

function checkTotal(rules: Rules, shown: ScoreValues | null, sent: ScoreValues): void {
  for (const [what, value] of [
    ['score', sent.score],
    ['secondary score', sent.secondary],
  ] as const) {
    if (value === null) continue
    const limit = limitReached(value, TOTALLED_BELOW)
    if (limit === null) continue
    const [code, is] =
      limit === TOTALLED_BELOW
        ? (['score_above_maximum', 'below'] as const)
        : (['score_below_minimum', 'above'] as const)
    throw new Refusal('unprocessable', code, `On a leaderboard of totals a ${what} must be ${is} ${limit}.`, { limit })
  }
  const after = shownAfter(rules, shown, sent)
  for (const [what, value] of [
    ['total', after?.score ?? null],
    ['secondary total', after?.secondary ?? null],
  ] as const) {
    const limit = value === null ? null : limitReached(value, TOTAL_LIMIT)
    if (limit === null) continue
    throw new Refusal(
      'unprocessable',
      'total_out_of_range',
      `The player’s ${what} would be ${value}: it must stay between -${TOTAL_LIMIT} and ${TOTAL_LIMIT}.`,
      { limit },
    )
  }
}

/** Deletes an entry: on a unique board all submissions so far, else one submission. 404 `score_not_found`. */
export function deleteScore(rules: Rules, id: string): Decision<Standing, ScoreEvent> {
  return (state, last) => {
    if (!hasEntry(rules, state, id)) throw new Refusal('not_found', 'score_not_found', 'There is no such score.')
    return [{ type: 'ScoreDeleted', data: { id, upTo: rules.unique ? last : null } }]
  }
}

/** Whether the board has this entry of the player; a submission outside the bounds is not an entry. */
function hasEntry(rules: Rules, state: Standing, id: string): boolean {
  if (rules.unique) return state.shown !== null && state.first?.id === id
  const found = isAll(state) ? state.left.find(id) : null
  return found !== null && isCounted(rules, found)
}
