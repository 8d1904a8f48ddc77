// What one player submitted to one board, and how they stand there. Every submission is a fact; the standing is a function
// of the submissions, the deletions and the rules of the board. On a unique board a deletion takes all before it, so no more
// is kept than the first and the best; rules that change will fold the stream anew, knowing its deletions.

import type { Aggregate, Decision, Moment } from './decider.ts'
import { Refusal } from './decider.ts'
import { compareDecimals, type Decimal } from './decimal.ts'
import type { Ordering, Rules } from './leaderboard.ts'

export const scoreStream = (board: string, player: string): string => `lb_${board}-${player}`

export interface Submission {
  readonly id: string
  readonly score: Decimal
  readonly secondary: Decimal | null
}

export interface ScoreSubmittedData extends Submission {
  /** Canonical JSON text, or null. */
  readonly extra: string | null
  /** The name given with the score, or null: then the player's present name stands beside it. Sealed in the log. */
  readonly playerName: string | null
}

export type ScoreEvent =
  | { readonly type: 'ScoreSubmitted'; readonly data: ScoreSubmittedData }
  /** One submission, or on a unique board all up to and including a revision. */
  | { readonly type: 'ScoreDeleted'; readonly data: { readonly id: string; readonly upTo: number | null } }

/** A submission and where it stands in its stream. */
export interface Placed extends Submission, Moment {}

export interface Standing {
  /** The first submission not deleted: gives a unique board's entry its id and `added`. */
  readonly first: Placed | null
  /** The best submission within bounds. */
  readonly best: Placed | null
  /** Not unique: every submission not deleted. Grows in place past `length` and is copied where two histories part. */
  readonly all: Placed[]
  readonly length: number
}

const NOTHING: Standing = { first: null, best: null, all: [], length: 0 }

const made = new WeakMap<Rules, Aggregate<Standing, ScoreEvent>>()

/** The standing under given rules: the same aggregate for the same rules. */
export function standing(rules: Rules): Aggregate<Standing, ScoreEvent> {
  const before = made.get(rules)
  if (before !== undefined) return before
  const aggregate = standingUnder(rules)
  made.set(rules, aggregate)
  return aggregate
}

function standingUnder(rules: Rules): Aggregate<Standing, ScoreEvent> {
  return {
    name: `standing ${JSON.stringify(rules)}`,
    initial: NOTHING,
    evolve(state, event, moment) {
      switch (event.type) {
        case 'ScoreSubmitted':
          return submitted(rules, state, place(event.data, moment))
        case 'ScoreDeleted':
          return event.data.upTo === null ? withoutOne(rules, state, event.data.id) : NOTHING
        default:
          return state
      }
    },
  }
}

export function place(data: Submission, moment: Moment): Placed {
  return {
    id: data.id,
    score: data.score,
    secondary: data.secondary,
    revision: moment.revision,
    time: moment.time,
  }
}

function submitted(rules: Rules, state: Standing, placed: Placed): Standing {
  const improves = within(rules, placed.score) && (state.best === null || outranks(rules, placed, state.best))
  const best = improves ? placed : state.best
  const first = state.first ?? placed
  if (rules.unique) return { ...state, first, best }
  const all = state.all.length === state.length && state.length > 0 ? state.all : state.all.slice(0, state.length)
  all.push(placed)
  return { ...state, first, best, all, length: all.length }
}

function withoutOne(rules: Rules, state: Standing, id: string): Standing {
  const left = state.all.slice(0, state.length).filter((one) => one.id !== id)
  let best: Placed | null = null
  for (const one of left) {
    if (within(rules, one.score) && (best === null || outranks(rules, one, best))) best = one
  }
  return { first: left[0] ?? null, best, all: left, length: left.length }
}

/**
 * Whether a submission takes the place of an earlier one as the player's best: where it beats it, and where each is an
 * entry also where it only ranks before it, which between equals of one millisecond the id decides.
 */
function outranks(rules: Rules, later: Placed, earlier: Placed): boolean {
  if (beats(rules, later, earlier)) return true
  if (rules.unique || beats(rules, earlier, later)) return false
  return later.time === earlier.time && later.id < earlier.id
}

/** Strictly better by score, then by secondary score; having a secondary score is better than having none. */
export function beats(rules: Rules, a: Submission, b: Submission): boolean {
  const byScore = inOrder(rules.ordering, a.score, b.score)
  if (byScore !== 0) return byScore < 0
  if (a.secondary === null) return false
  if (b.secondary === null) return true
  return inOrder(rules.secondaryOrdering, a.secondary, b.secondary) < 0
}

function inOrder(ordering: Ordering, a: Decimal, b: Decimal): number {
  return ordering === 'asc' ? compareDecimals(a, b) : compareDecimals(b, a)
}

/** Whether a score lies within the board's bounds, both inclusive. */
export function within(rules: Rules, score: Decimal): boolean {
  if (rules.minScore !== null && compareDecimals(score, rules.minScore) < 0) return false
  return rules.maxScore === null || compareDecimals(score, rules.maxScore) <= 0
}

/** Records a submission. Refuses one outside the bounds: 422 `score_below_minimum` or `score_above_maximum`. */
export function submitScore(rules: Rules, data: ScoreSubmittedData): Decision<Standing, ScoreEvent> {
  return () => {
    if (rules.minScore !== null && compareDecimals(data.score, rules.minScore) < 0) {
      throw new Refusal('unprocessable', 'score_below_minimum', `The lowest score taken is ${rules.minScore}.`, {
        min_score: rules.minScore,
      })
    }
    if (rules.maxScore !== null && compareDecimals(data.score, rules.maxScore) > 0) {
      throw new Refusal('unprocessable', 'score_above_maximum', `The highest score taken is ${rules.maxScore}.`, {
        max_score: rules.maxScore,
      })
    }
    return [{ type: 'ScoreSubmitted', data }]
  }
}

/** Takes an entry from its board: on a unique board with every submission so far, else that submission alone. */
export function deleteScore(rules: Rules, id: string): Decision<Standing, ScoreEvent> {
  return (state, last) => {
    const stands = rules.unique ? state.first?.id === id : isLive(state, id)
    if (!stands) throw new Refusal('not_found', 'score_not_found', 'There is no such score.')
    return [{ type: 'ScoreDeleted', data: { id, upTo: rules.unique ? last : null } }]
  }
}

function isLive(state: Standing, id: string): boolean {
  return state.all.slice(0, state.length).some((one) => one.id === id)
}
