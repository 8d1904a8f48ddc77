// What one player submitted to one board, and how they stand there. Every submission is a fact; the standing is a function
// of the submissions, the deletions and the rules of the board. On a unique board a deletion takes all before it, so no more
// is kept than the first and the best; where the rules have ever changed, deletions of both kinds lie in the stream, and every
// submission is kept.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { compareDecimals, type Decimal } from './decimal.ts'
import { type Moment, momentOf, type StoredEvent, shaped } from './event.ts'
import type { Ordering, Rules } from './leaderboard.ts'
import { streamName } from './streams.ts'
import { SubmissionsLeft } from './submissions-left.ts'

export const scoreStream = (board: string, player: string): string => streamName('lb_', `${board}-${player}`)

/** Whose stream on the board it is. */
export const playerOf = (stream: string, board: string): string => stream.slice(scoreStream(board, '').length)

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
  /** One submission, or where it was made on a unique board all up to and including a revision. */
  | { readonly type: 'ScoreDeleted'; readonly data: { readonly id: string; readonly upTo: number | null } }

/** A submission and where it stands in its stream. */
export interface Placed extends Submission, Moment {}

export interface Standing {
  /** The first submission not deleted: gives a unique board's entry its id and `added`. */
  readonly first: Placed | null
  /** The best submission within bounds. */
  readonly best: Placed | null
}

/** Not unique, or once the rules have changed: every submission not deleted. */
type All = SubmissionsLeft<Placed>

const NOTHING: Standing = { first: null, best: null }

/** Whether only the first and the best of a unique board are kept, as suffices while its rules have never changed. */
export type Kept = 'first and best' | 'all'

const made = { 'first and best': new WeakMap<Rules, Standings>(), all: new WeakMap<Rules, Standings>() }

type Standings = Aggregate<Standing, ScoreEvent>

/** The standing under given rules: the same aggregate for the same rules. */
export function standing(rules: Rules, kept: Kept = 'first and best'): Standings {
  const before = made[kept].get(rules)
  if (before !== undefined) return before
  const aggregate = standingUnder(rules, !rules.unique || kept === 'all')
  made[kept].set(rules, aggregate)
  return aggregate
}

function standingUnder(rules: Rules, keepsAll: boolean): Standings {
  const initial: Standing = keepsAll ? SubmissionsLeft.none<Placed>(orderUnder(rules)) : NOTHING
  return {
    name: `standing ${JSON.stringify(rules)}${keepsAll ? ' of all' : ''}`,
    initial,
    evolve(state, event, moment) {
      switch (event.type) {
        case 'ScoreSubmitted':
          return submitted(rules, state, place(event.data, moment))
        case 'ScoreDeleted':
          return event.data.upTo === null && isAll(state) ? state.without(event.data.id) : initial
        default:
          return state
      }
    },
  }
}

const isAll = (state: Standing): state is All => state instanceof SubmissionsLeft

/** For `SubmissionsLeft` of a player's submissions under rules. */
export const orderUnder = (rules: Rules) => ({
  counts: ({ score }: Placed) => within(rules, score),
  isBetter: (a: Placed, b: Placed) => (a.revision > b.revision ? outranks(rules, a, b) : !outranks(rules, b, a)),
})

export function place(data: Submission, moment: Moment): Placed {
  return {
    id: data.id,
    score: data.score,
    secondary: data.secondary,
    revision: moment.revision,
    time: moment.time,
  }
}

/** A recorded submission as it is judged, with its event. */
export function placedOf(event: StoredEvent): Placed & { readonly event: StoredEvent } {
  return { ...place(shaped<ScoreSubmittedData>(event.data), momentOf(event)), event }
}

function submitted(rules: Rules, state: Standing, placed: Placed): Standing {
  if (isAll(state)) return state.with(placed)
  const improves = within(rules, placed.score) && (state.best === null || outranks(rules, placed, state.best))
  return { first: state.first ?? placed, best: improves ? placed : state.best }
}

/** The best within bounds of a player's submissions, which come in their order. */
export function bestOf<One extends Placed>(rules: Rules, submissions: readonly One[]): One | null {
  let best: One | null = null
  for (const one of submissions) {
    if (within(rules, one.score) && (best === null || outranks(rules, one, best))) best = one
  }
  return best
}

/** Of a player's stream up to some event, the submissions that no deletion in it took, in their order. O(its length). */
export function submissionsLeft<
  Event extends { readonly type: string; readonly revision: number; readonly data: object },
>(stream: readonly Event[]): Event[] {
  let from = 0
  const gone = new Set<string>()
  for (const { type, revision, data } of stream) {
    if (type !== 'ScoreDeleted') continue
    const { id, upTo } = data as { readonly id: string; readonly upTo: number | null }
    if (upTo === null) gone.add(id)
    else from = revision
  }
  return stream.filter(({ type, revision, data }) => {
    return type === 'ScoreSubmitted' && revision >= from && !gone.has((data as { readonly id: string }).id)
  })
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
    if (!stands(rules, state, id)) throw new Refusal('not_found', 'score_not_found', 'There is no such score.')
    return [{ type: 'ScoreDeleted', data: { id, upTo: rules.unique ? last : null } }]
  }
}

/** Whether the board has such an entry of the player's; what lies outside its bounds is none. */
function stands(rules: Rules, state: Standing, id: string): boolean {
  if (rules.unique) return state.best !== null && state.first?.id === id
  const found = isAll(state) ? state.find(id) : null
  return found !== null && within(rules, found.score)
}
