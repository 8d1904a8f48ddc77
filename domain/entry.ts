// The entry that a player's submissions make under a board's rules. Everything that computes entries calls `reduceEntry` for each event
// and, where one event is not enough to decide, `entryOfStream`.

import type { Ordering, Rules } from './board-rules.ts'
import { compareDecimals, type Decimal } from './decimal.ts'
import type { StoredEvent } from './event.ts'
import { type RecordedSubmission, recordedSubmissionOf, type ScoreEvent, type Submission } from './score.ts'

/** What a submission or a deletion is decided by: the player's entry on a unique board, else the submission's own. */
export interface PresentEntry {
  /** Id of the submission that the entry began with. */
  readonly id: string
  /** Id of the submission that it shows; undefined where that is unknown. */
  readonly shownId?: string | undefined
  /** What it shows; null for a unique board's entry while all of its player's submissions are outside the bounds. */
  readonly shown: Pick<Submission, 'score' | 'secondary'> | null
}

/**
 * `show`: the entry shows this submission, and begins with it where there was none. `outside`: the entry begins with this submission,
 * which is outside the bounds, so that nothing is shown. `remove all`: all of the player's entries. `read the stream`: a deletion takes
 * one of several submissions behind the entry, so `entryOfStream` of the stream up to and with the event is the entry.
 */
type EntryChange = 'unchanged' | 'show' | 'outside' | 'remove' | 'remove all' | 'read the stream'

/** What an event does to an entry; `present` is null where there is none. O(1). */
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
 * An entry by its player's stream: the submission it began with and the one it shows, of those that no deletion took; null where there
 * is none. `id`: which entry, where each submission is one. O(the stream).
 */
export function entryOfStream(rules: Rules, stream: readonly StoredEvent[], id?: string) {
  const all = submissionsLeft(stream)
  const own = rules.unique ? all : all.filter(({ data }) => data.id === id)
  return { first: own[0] ?? null, best: bestOf(rules, own.map(recordedSubmissionOf))?.event ?? null }
}

/** The best within bounds of a player's submissions, which are in the order of their revisions. */
export function bestOf<One extends RecordedSubmission>(rules: Rules, submissions: readonly One[]): One | null {
  let best: One | null = null
  for (const one of submissions) {
    if (within(rules, one.score) && (best === null || outranks(rules, one, best))) best = one
  }
  return best
}

/** The submissions of a player's stream that no deletion in it took, in their order. O(the stream). */
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

/** For `SubmissionsLeft` of a player's submissions. */
export const orderUnder = (rules: Rules) => ({
  counts: ({ score }: RecordedSubmission) => within(rules, score),
  isBetter: (a: RecordedSubmission, b: RecordedSubmission) => (a.revision > b.revision ? outranks(rules, a, b) : !outranks(rules, b, a)),
})

/**
 * Whether a submission replaces an earlier one as the player's best: where it beats it, and where each is an entry also where it
 * ranks before it, which between equals of one millisecond the id decides.
 */
function outranks(rules: Rules, later: RecordedSubmission, earlier: RecordedSubmission): boolean {
  if (beats(rules, later, earlier)) return true
  if (rules.unique || beats(rules, earlier, later)) return false
  return later.time === earlier.time && later.id < earlier.id
}

type Scores = Pick<Submission, 'score' | 'secondary'>

/** Strictly better by score, then by secondary score; having a secondary score is better than having none. */
function beats(rules: Rules, a: Scores, b: Scores): boolean {
  const byScore = inOrder(rules.ordering, a.score, b.score)
  if (byScore !== 0) return byScore < 0
  if (a.secondary === null) return false
  if (b.secondary === null) return true
  return inOrder(rules.secondaryOrdering, a.secondary, b.secondary) < 0
}

function inOrder(ordering: Ordering, a: Decimal, b: Decimal): number {
  return ordering === 'asc' ? compareDecimals(a, b) : compareDecimals(b, a)
}

/** Whether a score is inside the board's bounds, both inclusive. */
export function within(rules: Rules, score: Decimal): boolean {
  if (rules.minScore !== null && compareDecimals(score, rules.minScore) < 0) return false
  return rules.maxScore === null || compareDecimals(score, rules.maxScore) <= 0
}
