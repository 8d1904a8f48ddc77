// A player's standing on one board: the state that their stream folds to under the board's rules, and the decisions on
// it. On a unique board a deletion removes all earlier submissions, so the first and the best suffice. Once rules have
// changed, the stream may contain deletions of both kinds, so all submissions are kept.

import type { Rules } from './board-rules.ts'
import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { compareDecimals } from './decimal.ts'
import { orderUnder, reduceEntry, within } from './entry.ts'
import { type RecordedSubmission, recordedSubmission, type ScoreEvent, type ScoreSubmittedData } from './score.ts'
import { SubmissionsLeft } from './submissions-left.ts'

export interface Standing {
  /** The first submission not deleted: a unique board's entry has its id, and its time as `added`. */
  readonly first: RecordedSubmission | null
  /** The best submission within bounds. */
  readonly best: RecordedSubmission | null
}

/** All submissions not deleted: for boards that are not unique or whose rules have changed. */
type All = SubmissionsLeft<RecordedSubmission>

const NOTHING: Standing = { first: null, best: null }

/** `first and best` suffices for a unique board whose rules have never changed. */
export type KeptSubmissions = 'first and best' | 'all'

const made = { 'first and best': new WeakMap<Rules, Standings>(), all: new WeakMap<Rules, Standings>() }

type Standings = Aggregate<Standing, ScoreEvent>

/** The aggregate for given rules, cached by rules object. */
export function standing(rules: Rules, kept: KeptSubmissions = 'first and best'): Standings {
  const before = made[kept].get(rules)
  if (before !== undefined) return before
  const aggregate = standingUnder(rules, !rules.unique || kept === 'all')
  made[kept].set(rules, aggregate)
  return aggregate
}

function standingUnder(rules: Rules, keepsAll: boolean): Standings {
  const initial: Standing = keepsAll ? SubmissionsLeft.none<RecordedSubmission>(orderUnder(rules)) : NOTHING
  return {
    name: `standing ${JSON.stringify(rules)}${keepsAll ? ' of all' : ''}`,
    initial,
    size: (state) => (isAll(state) ? state.held : 0),
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

const isAll = (state: Standing): state is All => state instanceof SubmissionsLeft

function withChange(
  rules: Rules,
  { first, best }: Standing,
  event: ScoreEvent,
  submission: RecordedSubmission,
): Standing {
  const change = reduceEntry(rules, first === null ? null : { id: first.id, shown: best }, event)
  if (change === 'show') return { first: first ?? submission, best: submission }
  return { first: first ?? submission, best }
}

/** Records a submission. 422 `score_below_minimum` or `score_above_maximum` outside the bounds. */
export function submitScore(rules: Rules, data: ScoreSubmittedData): Decision<Standing, ScoreEvent> {
  return () => {
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
    return [{ type: 'ScoreSubmitted', data }]
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
  if (rules.unique) return state.best !== null && state.first?.id === id
  const found = isAll(state) ? state.find(id) : null
  return found !== null && within(rules, found.score)
}
