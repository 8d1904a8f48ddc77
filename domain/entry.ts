// Computes a player's entry from their submissions under a board's rules. All code that computes entries calls
// `reduceEntry` for each event, and `entryOfStream` if one event is not enough to decide.

import type { Ordering, Rules } from './board-rules.ts'
import { compareDecimals, type Decimal } from './decimal.ts'
import type { StoredEvent } from './event.ts'
import { type RecordedSubmission, recordedSubmissionOf, type ScoreEvent, type ScoreValues } from './score.ts'

/**
 * The present entry that an event may change: the player's entry on a unique board, else the submission's own entry.
 */
export interface PresentEntry {
  /** Id of the submission that the entry began with. */
  readonly id: string
  /** Id of the submission that it shows; undefined if unknown. */
  readonly shownId?: string | undefined
  /** What it shows; null for a unique board's entry while all of its player's submissions are outside the bounds. */
  readonly shown: ScoreValues | null
}

/**
 * `show`: the entry shows this submission, and begins with it if there was no entry. `outside`: the entry begins with
 * this submission, which is outside the bounds, so nothing is shown. `remove all`: remove all entries of the player.
 * `read the stream`: a deletion removed one of several submissions behind the entry; call `entryOfStream` with the
 * stream up to and including the event.
 */
type EntryChange = 'unchanged' | 'show' | 'outside' | 'remove' | 'remove all' | 'read the stream'

/** How an event changes an entry; `present` is null if there is no entry. O(1). */
export function reduceEntry(rules: Rules, present: PresentEntry | null, event: ScoreEvent): EntryChange {
  if (event.type === 'ScoreSubmitted') {
    const sent = event.data
    if (!within(rules, sent.score)) return rules.unique && present === null ? 'outside' : 'unchanged'
    const shown = present?.shown ?? null
    return shown === null || beats(rules, sent, shown) ? 'show' : 'unchanged'
  }
  const { id, upTo } = event.data
  if (!rules.unique && upTo !== null) return 'remove all'
  if (present === null) return 'unchanged'
  if (!rules.unique || upTo !== null) return 'remove'
  const isBehind = present.shownId === undefined || present.shownId === id || present.id === id
  return isBehind ? 'read the stream' : 'unchanged'
}

/**
 * The entry that a player's stream makes: the submission it began with and the one it shows, or null. `id` chooses the
 * entry on a board where each submission is one. O(stream).
 */
export function entryOfStream(rules: Rules, stream: readonly StoredEvent[], id?: string) {
  const all = submissionsLeft(stream)
  const own = rules.unique ? all : all.filter(({ data }) => data.id === id)
  return { first: own[0] ?? null, best: bestOf(rules, own.map(recordedSubmissionOf))?.event ?? null }
}

/** The best of a player's submissions within the bounds, of equal ones the first; they are in revision order. */
export function bestOf<One extends RecordedSubmission>(rules: Rules, submissions: readonly One[]): One | null {
  let best: One | null = null
  for (const one of submissions) {
    if (within(rules, one.score) && (best === null || beats(rules, one, best))) best = one
  }
  return best
}

/** The submissions of a player's stream that are not deleted, in order. O(stream). */
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

/** The order for a `SubmissionsLeft` of a player's submissions. */
export const orderUnder = (rules: Rules) => ({
  counts: ({ score }: RecordedSubmission) => within(rules, score),
  // Of equal ones, the first recorded is better.
  isBetter: (a: RecordedSubmission, b: RecordedSubmission) =>
    a.revision > b.revision ? beats(rules, a, b) : !beats(rules, b, a),
})

/** Strictly better by score, then by secondary score; any secondary score is better than none. */
function beats(rules: Rules, a: ScoreValues, b: ScoreValues): boolean {
  const byScore = inOrder(rules.ordering, a.score, b.score)
  if (byScore !== 0) return byScore < 0
  if (a.secondary === null) return false
  if (b.secondary === null) return true
  return inOrder(rules.secondaryOrdering, a.secondary, b.secondary) < 0
}

function inOrder(ordering: Ordering, a: Decimal, b: Decimal): number {
  return ordering === 'asc' ? compareDecimals(a, b) : compareDecimals(b, a)
}

/** Whether a score is within the board's inclusive bounds. */
export function within(rules: Rules, score: Decimal): boolean {
  if (rules.minScore !== null && compareDecimals(score, rules.minScore) < 0) return false
  return rules.maxScore === null || compareDecimals(score, rules.maxScore) <= 0
}
