// How a player stands on one board: what their stream folds to under the board's rules, and the decisions that are made on it. On a
// unique board a deletion takes all submissions before it, so the first and the best suffice; where the rules have ever changed,
// deletions of both kinds are in the stream, and every submission is kept.

import type { Rules } from './board-rules.ts'
import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { compareDecimals } from './decimal.ts'
import { orderUnder, reduceEntry, within } from './entry.ts'
import { type RecordedSubmission, recordedSubmission, type ScoreEvent, type ScoreSubmittedData } from './score.ts'
import { SubmissionsLeft } from './submissions-left.ts'

export interface Standing {
  /** The first submission not deleted: gives a unique board's entry its id and `added`. */
  readonly first: RecordedSubmission | null
  /** The best submission within bounds. */
  readonly best: RecordedSubmission | null
}

/** Not unique, or once the rules have changed: every submission not deleted. */
type All = SubmissionsLeft<RecordedSubmission>

const NOTHING: Standing = { first: null, best: null }

/** Whether only the first and the best of a unique board are kept, as suffices while its rules have never changed. */
export type KeptSubmissions = 'first and best' | 'all'

const made = { 'first and best': new WeakMap<Rules, Standings>(), all: new WeakMap<Rules, Standings>() }

type Standings = Aggregate<Standing, ScoreEvent>

/** The standing under given rules: the same aggregate for the same rules. */
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
    evolve(state, event, moment) {
      switch (event.type) {
        case 'ScoreSubmitted': {
          const submission = recordedSubmission(event.data, moment)
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

function withChange(rules: Rules, { first, best }: Standing, event: ScoreEvent, submission: RecordedSubmission): Standing {
  const change = reduceEntry(rules, first === null ? null : { id: first.id, shown: best }, event)
  if (change === 'show') return { first: first ?? submission, best: submission }
  return { first: first ?? submission, best }
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
    if (!hasEntry(rules, state, id)) throw new Refusal('not_found', 'score_not_found', 'There is no such score.')
    return [{ type: 'ScoreDeleted', data: { id, upTo: rules.unique ? last : null } }]
  }
}

/** Whether the board has such an entry of the player's; what lies outside its bounds is none. */
function hasEntry(rules: Rules, state: Standing, id: string): boolean {
  if (rules.unique) return state.best !== null && state.first?.id === id
  const found = isAll(state) ? state.find(id) : null
  return found !== null && within(rules, found.score)
}
