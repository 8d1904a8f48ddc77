// Whether a submission became its player's best one of a season: decided from the few events before it where possible,
// else from the events of the season.

import { keepOf, type Rules } from '../domain/board-rules.ts'
import type { Decimal } from '../domain/decimal.ts'
import { beats, isCounted, shownAfter, submissionsLeft } from '../domain/entry.ts'
import { type Position, type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { ScoreSubmittedData, ScoreValues } from '../domain/score.ts'
import { joins, type SeasonAndPrevious } from '../domain/season-records.ts'
import { standing } from '../domain/standing.ts'
import type { Log } from '../stores/contract/log.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import { fold, unfolded } from './fold.ts'

/** Events before a submission that are read first. */
const NEAREST = 16

/** A submission that joined a season. */
export interface SubmissionOfSeason {
  /** The player's submissions on the leaderboard. */
  readonly stream: string
  readonly revision: number
  readonly season: number
  readonly around: SeasonAndPrevious
  /** In force at the submission. */
  readonly rules: Rules
}

/** Whether the player's entry of the season ranks better than before the submission; true if it is new. */
export type IsImproved = (of: SubmissionOfSeason) => Promise<boolean>

/**
 * Reads at most the events since the season before was opened, once for each stream and season: for one call, and only
 * after all of its submissions are recorded.
 */
export function readingImprovements(log: Pick<Log, 'readStream'>): IsImproved {
  const seasons = new Map<string, Promise<ReadonlySet<number>>>()
  return async (of) => {
    const seen = keepOf(of.rules) === 'best' ? null : await improvedOnNearest(log, of)
    if (seen !== null) return seen
    const key = `${of.season} ${JSON.stringify(of.rules)} ${of.stream}`
    const known = seasons.get(key) ?? improvedRevisions(log, of)
    seasons.set(key, known)
    return (await known).has(of.revision)
  }
}

/** An entry of a total that changes neither score nor secondary score. */
const NOTHING: ScoreValues = { score: '0' as Decimal, secondary: '0' as Decimal }

/**
 * For a board of latest submissions or of totals: the newest submission before this one decides, except in a total with
 * a score of 0. Null: the nearest events do not decide.
 */
async function improvedOnNearest(log: Pick<Log, 'readStream'>, of: SubmissionOfSeason): Promise<boolean | null> {
  const { rules, revision, stream } = of
  const from = Math.max(0, revision - NEAREST)
  const nearest = await log.readStream(stream, from, revision - from + 1)
  const sent = unsafeCast<ScoreSubmittedData | undefined>(nearest.pop()?.data)
  if (sent === undefined) throw new Error(`${stream} has no event ${revision}, which was recorded`)
  if (!isCounted(rules, sent)) return false
  const isTotal = keepOf(rules) === 'total'
  // It improves every total alike.
  if (isTotal && beats(rules, sent, NOTHING)) return true
  const earlier = submissionsLeft(nearest).filter((event) => isOfSeason(of, event) && isCounted(rules, valuesOf(event)))
  const newest = earlier.at(-1)
  if (newest === undefined) return from === 0 || nearest.some((event) => endsSearch(of, event)) ? true : null
  const values = valuesOf(newest)
  const improves = beats(rules, shownAfter(rules, values, sent) ?? values, values)
  // A secondary score is better than none, but an earlier submission may have had one.
  return isTotal && improves ? null : improves
}

const valuesOf = ({ data }: StoredEvent): ScoreValues => unsafeCast<ScoreSubmittedData>(data)

const isOfSeason = ({ around }: SubmissionOfSeason, { position, meta }: StoredEvent): boolean =>
  joins(around, { position, time: meta.time })

/** Whether no submission before this event is left in the season. */
const endsSearch = (of: SubmissionOfSeason, { type, data, position }: StoredEvent): boolean =>
  position <= beginning(of) || (type === 'ScoreDeleted' && data.upTo !== null)

/** Submissions join a season after this position: from the end of the season before, which may not be closed then. */
const beginning = ({ around: { previous, own } }: SubmissionOfSeason): Position => (previous ?? own)?.opened ?? ''

/** The revisions of all submissions of the season that improved the entry of it. */
async function improvedRevisions(log: Pick<Log, 'readStream'>, of: SubmissionOfSeason): Promise<ReadonlySet<number>> {
  const { rules, stream } = of
  const aggregate = standing(rules, 'all')
  const improved = new Set<number>()
  let folded = unfolded(aggregate)
  // Read before the next event is folded: it costs more on a state that is not the latest.
  let { shown } = folded.state
  for await (const event of eventsFrom(log, stream, await firstRevision(log, of))) {
    if (event.type === 'ScoreSubmitted' && !isOfSeason(of, event)) continue
    folded = fold(aggregate, folded, event)
    const before = shown
    shown = folded.state.shown
    if (shown?.revision !== event.revision) continue
    if (before === null || beats(rules, shown, before)) improved.add(event.revision)
  }
  return improved
}

/** The first revision that may be of the season. O(log n) reads. */
async function firstRevision(log: Pick<Log, 'readStream'>, of: SubmissionOfSeason): Promise<number> {
  let [low, high] = [0, of.revision]
  while (low < high) {
    const middle = (low + high) >> 1
    const [event] = await log.readStream(of.stream, middle, 1)
    if (event !== undefined && event.position <= beginning(of)) low = middle + 1
    else high = middle
  }
  return low
}
