// Computes a player's entry from their submissions under a board's rules. All code that computes entries calls
// `reduceEntry` for each event, and `entryOfStream` if one event is not enough to decide. Reads of a window of
// submissions call `shownAfter`.

import { keepOf, type Ordering, type Rules } from './board-rules.ts'
import { addDecimals, compareDecimals, type Decimal, negated } from './decimal.ts'
import { type StoredEvent, unsafeCast } from './event.ts'
import type { RecordedSubmission, ScoreEvent, ScoreSubmittedData, ScoreValues } from './score.ts'

/**
 * The present entry that an event may change: the player's entry on a unique board, else the submission's own entry.
 */
export interface PresentEntry {
  /** Id of the submission that the entry began with. */
  readonly id: string
  /** Id of the submission whose details it shows; undefined if unknown. */
  readonly shownId?: string | undefined
  /** What it shows; null for a unique board's entry while all of its player's submissions are outside the bounds. */
  readonly shown: ScoreValues | null
}

/**
 * Values: the entry shows them with the details of this submission, and begins with it if there was no entry.
 * `outside`: the entry begins with this submission, which does not count, so nothing is shown. `remove all`: remove
 * all entries of the player. `read the stream`: a deletion removed one of several submissions behind the entry; call
 * `entryOfStream` with the stream up to and including the event.
 */
type EntryChange = ScoreValues | 'unchanged' | 'outside' | 'remove' | 'remove all' | 'read the stream'

/** How an event changes an entry; `present` is null if there is no entry. O(1). */
export function reduceEntry(rules: Rules, present: PresentEntry | null, event: ScoreEvent): EntryChange {
  if (event.type === 'ScoreSubmitted') {
    const sent = event.data
    if (!isCounted(rules, sent)) return rules.unique && present === null ? 'outside' : 'unchanged'
    return shownAfter(rules, present?.shown ?? null, sent) ?? 'unchanged'
  }
  const { id, upTo } = event.data
  if (!rules.unique && upTo !== null) return 'remove all'
  if (present === null) return 'unchanged'
  if (!rules.unique || upTo !== null) return 'remove'
  const isBehind = present.shownId === undefined || present.shownId === id || present.id === id
  return isBehind || rules.keep === 'total' ? 'read the stream' : 'unchanged'
}

/** The values that an entry shows, and the event of the submission whose details, time and position it shows. */
export interface Shown {
  readonly event: StoredEvent
  readonly values: ScoreValues
}

/**
 * The entry that a player's stream makes: the submission it began with and what it shows, or null. `id` chooses the
 * entry on a board where each submission is one. O(stream).
 */
export function entryOfStream(rules: Rules, stream: readonly StoredEvent[], id?: string) {
  const all = submissionsLeft(stream)
  const own = rules.unique ? all : all.filter(({ data }) => data.id === id)
  return { first: own[0] ?? null, shown: shownOf(rules, own) }
}

/** What an entry with these submissions shows; null if none of them counts. They are in revision order. */
export function shownOf(rules: Rules, submissions: readonly StoredEvent[]): Shown | null {
  let shown = null as Shown | null
  for (const event of submissions) {
    const sent = unsafeCast<ScoreSubmittedData>(event.data)
    const values: ScoreValues | null = isCounted(rules, sent) ? shownAfter(rules, shown?.values ?? null, sent) : null
    if (values !== null) shown = { event, values }
  }
  return shown
}

/**
 * What an entry shows after one more submission that counts; null if that changes nothing. `sent` itself, unless it is
 * a sum.
 */
export function shownAfter(rules: Rules, shown: ScoreValues | null, sent: ScoreValues): ScoreValues | null {
  if (shown === null) return sent
  switch (keepOf(rules)) {
    case 'best':
      return beats(rules, sent, shown) ? sent : null
    case 'latest':
      return sent
    case 'total':
      return {
        score: addDecimals(shown.score, sent.score),
        secondary: sumOf(shown.secondary, sent.secondary),
      }
  }
}

/** Null: nothing to add. */
const sumOf = (a: Decimal | null, b: Decimal | null): Decimal | null =>
  a === null || b === null ? (a ?? b) : addDecimals(a, b)

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

/**
 * The order for a `SubmissionsLeft` of a player's submissions: the first is the one whose details, time and position
 * are shown.
 */
export const orderUnder = (rules: Rules) => ({
  counts: (one: RecordedSubmission) => isCounted(rules, one),
  isBetter:
    keepOf(rules) === 'best'
      ? // Of equal ones, the first recorded is better.
        (a: RecordedSubmission, b: RecordedSubmission) =>
          a.revision > b.revision ? beats(rules, a, b) : !beats(rules, b, a)
      : (a: RecordedSubmission, b: RecordedSubmission) => a.revision > b.revision,
})

/** Strictly better by score, then by secondary score; any secondary score is better than none. */
export function beats(rules: Rules, a: ScoreValues, b: ScoreValues): boolean {
  const byScore = inOrder(rules.ordering, a.score, b.score)
  if (byScore !== 0) return byScore < 0
  if (a.secondary === null) return false
  if (b.secondary === null) return true
  return inOrder(rules.secondaryOrdering, a.secondary, b.secondary) < 0
}

function inOrder(ordering: Ordering, a: Decimal, b: Decimal): number {
  return ordering === 'asc' ? compareDecimals(a, b) : compareDecimals(b, a)
}

/**
 * On a board of totals, scores and secondary scores must be between minus and plus this, under whatever rules they were
 * recorded. So a total has at most 36 digits before the point, which `addDecimals` and sort keys hold, up to 10^12
 * submissions of one player: no history has as many.
 */
export const TOTALLED_BELOW = `1${'0'.repeat(24)}` as Decimal

const isTotalled = (value: Decimal): boolean => limitReached(value, TOTALLED_BELOW) === null

/** The limit, or minus the limit, that a value reaches; null if it is between them. */
export function limitReached(value: Decimal, limit: Decimal): Decimal | null {
  if (compareDecimals(value, limit) >= 0) return limit
  const negative = negated(limit)
  return compareDecimals(value, negative) <= 0 ? negative : null
}

/** Whether a submission counts: it is within the bounds, and can be added up on a board of totals. */
export function isCounted(rules: Rules, { score, secondary }: ScoreValues): boolean {
  if (!within(rules, score)) return false
  return rules.keep !== 'total' || (isTotalled(score) && (secondary === null || isTotalled(secondary)))
}

/** Whether a score is within the board's inclusive bounds. */
function within(rules: Rules, score: Decimal): boolean {
  if (rules.minScore !== null && compareDecimals(score, rules.minScore) < 0) return false
  return rules.maxScore === null || compareDecimals(score, rules.maxScore) <= 0
}
