// Explains a score: the events that produced it, from the streams of its board, its player, and that player on that
// board. Events that change nothing under the active rules are left out. Streams are read page by page and folded as
// commands fold them; only the reported events and the ids of single deletions are held.

import type { Rules } from '../domain/board-rules.ts'
import { isCounted, orderUnder } from '../domain/entry.ts'
import type { Position, StoredEvent } from '../domain/event.ts'
import { recordedAt, unsafeCast } from '../domain/event.ts'
import { boardStream } from '../domain/leaderboard.ts'
import { playerStream } from '../domain/player.ts'
import { type RecordedSubmission, recordedSubmission, type ScoreEvent, scoreStream } from '../domain/score.ts'
import { type Standing, standing } from '../domain/standing.ts'
import { SubmissionsLeft } from '../domain/submissions-left.ts'
import type { TimeSlices } from '../runtime/time-slices.ts'
import type { Log } from '../stores/contract/log.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import { listAnswer, type Paging } from './deps.ts'
import { eventAnswer } from './events.ts'
import type { Board } from './leaderboard.ts'
import type { Entry } from './scores/entry.ts'

/** Maximum number of events reported: the newest. */
const MAX_EVENTS = 1_000
/** Events per read: less than a millisecond with the log in this process. */
const PAGE = 100

/**
 * The effect of an event on the score; `removed`: it ended the previous score, so that this one could begin;
 * `replaced`: a later submission took the place of the one before, on a board that shows the latest; `counted`: it is
 * part of a total.
 */
export type Effect = 'rules' | 'removed' | 'began' | 'improved' | 'replaced' | 'counted' | 'hidden' | 'shown'

interface Reported {
  readonly effect: Effect
  readonly event: StoredEvent
}

interface Found {
  readonly entry: Pick<Entry, 'id' | 'player' | 'member'>
  readonly board: Pick<Board, 'id' | 'generation'> & { readonly state: { readonly rules: Rules } }
}

/** Reads a stream from a revision on, yielding to the event loop in between. */
type Source = (stream: string, revision?: number) => AsyncIterable<StoredEvent>

const sourceOf = (log: Pick<Log, 'readStream'>, slices: TimeSlices): Source =>
  async function* (stream, revision = 0) {
    for await (const event of eventsFrom(log, stream, revision, PAGE)) {
      yield event
      await slices.yieldIfDue()
    }
  }

/**
 * The explaining events in log order, at most 1,000; of a total a page of its counted submissions, newest first.
 * O(events of the three streams).
 */
export async function explainScore(
  stored: Pick<Log, 'readStream'>,
  { entry, board }: Found,
  paging: Paging,
  slices: TimeSlices,
) {
  const log = sourceOf(stored, slices)
  if (board.state.rules.keep === 'total') return explainTotal(log, { entry, board }, paging)
  const own = new ScoreEvents(board.state.rules.keep === 'latest' ? 'replaced' : 'improved')
  await ofScore(log, { entry, board }, own)
  const all = [own.removed, own.made, await ofBoard(log, board.id), await ofPlayer(log, entry.player, own.began)]
  const reported = all.flatMap((one) => one.newest())
  reported.sort((a, b) => (a.event.position < b.event.position ? -1 : 1))
  const shown = reported.slice(-MAX_EVENTS)
  const events = shown.map(answerOf)
  return { ...about({ entry, board }), events, left_out: all.reduce((sum, { count }) => sum + count, 0) - shown.length }
}

function about({ entry, board }: Found) {
  const sortKey: string | null = entry.member
  return { score: entry.id, leaderboard: board.id, player: entry.player, hidden: sortKey === null }
}

const answerOf = ({ effect, event }: Reported) => ({ effect, event: eventAnswer(event) })

/** The stream is read three times: for its deletions, to count its submissions, and for those of the page. */
async function explainTotal(log: Source, { entry, board }: Found, paging: Paging) {
  const stream = scoreStream(board.id, entry.player)
  const deletions = await singleDeletions(log, stream)
  const countedOnes = async function* () {
    for await (const event of until(deletions.end, log(stream, deletions.from))) {
      const { type, data } = unsafeCast<ScoreEvent>(event)
      if (type === 'ScoreSubmitted' && !deletions.ids.has(data.id) && isCounted(board.state.rules, data)) yield event
    }
  }
  let count = 0
  for await (const _ of countedOnes()) count++
  const { offset, limit } = paging
  const [first, end] = [count - offset - limit, count - offset]
  const rows: Reported[] = []
  let at = 0
  for await (const event of countedOnes()) {
    if (at >= end) break
    if (at++ >= first) rows.push({ effect: 'counted', event })
  }
  return { ...about({ entry, board }), ...listAnswer('events', { rows: rows.reverse().map(answerOf), count }, paging) }
}

/** The newest of events that are added in log order, and the number of all of them. */
class Newest {
  count = 0
  #reported: Reported[] = []

  push(...reported: readonly Reported[]): void {
    this.count += reported.length
    this.#reported.push(...reported)
    if (this.#reported.length > 2 * MAX_EVENTS) this.#reported = this.newest()
  }

  newest(): Reported[] {
    return this.#reported.slice(-MAX_EVENTS)
  }
}

/**
 * The events of the player's stream on the board: what ended the previous score, and what produced the current one
 * since it began.
 */
class ScoreEvents {
  /** The effect of a submission that changes what the score shows. */
  readonly #changes: Effect
  removed = new Newest()
  made = new Newest()
  /** Position at which the score began; '' if it did not. */
  began: Position = ''

  constructor(changes: Effect) {
    this.#changes = changes
  }

  /** The score ended with this event. */
  end(event: StoredEvent): void {
    this.removed = new Newest()
    this.removed.push({ effect: 'removed', event })
    this.reset()
  }

  reset(): void {
    this.made = new Newest()
    this.began = ''
  }

  submitted(before: Standing, after: Standing, event: StoredEvent): void {
    const begins = before.first === null
    if (begins) this.began = event.position
    if (begins || after.shown !== before.shown) this.made.push({ effect: begins ? 'began' : this.#changes, event })
  }
}

async function ofBoard(log: Source, board: string): Promise<Newest> {
  const reported = new Newest()
  for await (const event of log(boardStream(board)))
    if (RULES.has(event.type)) reported.push({ effect: 'rules', event })
  return reported
}

const RULES: ReadonlySet<string> = new Set(['LeaderboardCreated', 'LeaderboardRulesChanged'])

/** Bans since the score began; before that there was nothing to hide. */
async function ofPlayer(log: Source, player: string, began: Position): Promise<Newest> {
  const reported = new Newest()
  for await (const event of log(playerStream(player))) {
    const effect = BANS[event.type]
    if (effect !== undefined && event.position > began) reported.push({ effect, event })
  }
  return reported
}

const BANS: Readonly<Record<string, Effect>> = { PlayerBanned: 'hidden', PlayerUnbanned: 'shown' }

async function ofScore(log: Source, { entry: { id, player }, board }: Found, reported: ScoreEvents) {
  const stream = scoreStream(board.id, player)
  const { rules } = board.state
  if (!rules.unique) {
    // Each submission is a score; a deleted one has no explanation.
    for await (const event of log(stream)) {
      if (event.type === 'ScoreSubmitted' && event.data.id === id) return reported.submitted(NOTHING, NOTHING, event)
    }
    return
  }
  // If the rules have ever changed, a deletion may have removed a single submission: the entry is computed from the
  // rest.
  const deletions = board.generation > 1 ? await singleDeletions(log, stream) : NO_DELETIONS
  await foldRemovals(log, stream, rules, deletions, reported)
  if (deletions.ids.size === 0) return
  reported.reset()
  const { evolve, initial } = standing(rules)
  let state = initial
  for await (const event of until(deletions.end, log(stream, deletions.from))) {
    if (event.type !== 'ScoreSubmitted' || deletions.ids.has(String(event.data.id))) continue
    const before = state
    state = evolve(before, unsafeCast<ScoreEvent>(event), recordedAt(event))
    reported.submitted(before, state, event)
  }
}

const NOTHING: Standing = { first: null, shown: null }

/** The single deletions since the last deletion of everything. */
interface SingleDeletions {
  /** Revision of that deletion, or 0; and revision of the last event read. */
  readonly from: number
  readonly end: number
  readonly ids: ReadonlySet<string>
}

const NO_DELETIONS: SingleDeletions = { from: 0, end: Number.POSITIVE_INFINITY, ids: new Set() }

async function singleDeletions(log: Source, stream: string): Promise<SingleDeletions> {
  let [from, end, ids] = [0, -1, new Set<string>()]
  for await (const { type, data, revision } of log(stream)) {
    end = revision
    if (type !== 'ScoreDeleted') continue
    if (data.upTo === null) ids.add(String(data.id))
    else [from, ids] = [revision, new Set()]
  }
  return { from, end, ids }
}

async function* until(end: number, events: AsyncIterable<StoredEvent>): AsyncGenerator<StoredEvent> {
  for await (const event of events) {
    if (event.revision > end) return
    yield event
  }
}

/** Folds event by event. Of the submissions that are never deleted, only the first and the shown one matter. */
async function foldRemovals(
  log: Source,
  stream: string,
  rules: Rules,
  { from, end, ids }: SingleDeletions,
  reported: ScoreEvents,
) {
  const { evolve, initial } = standing(rules)
  const order = orderUnder(rules)
  let neverDeleted = initial
  let deletedLater = SubmissionsLeft.none<RecordedSubmission>(order)
  let before: Standing = NOTHING
  for await (const event of until(end, log(stream, from))) {
    const scored = unsafeCast<ScoreEvent>(event)
    if (scored.type === 'ScoreSubmitted') {
      if (ids.has(scored.data.id)) deletedLater = deletedLater.with(recordedSubmission(scored.data, recordedAt(event)))
      else neverDeleted = evolve(neverDeleted, scored, recordedAt(event))
    } else if (scored.type === 'ScoreDeleted') {
      if (scored.data.upTo === null) deletedLater = deletedLater.without(scored.data.id)
      else [neverDeleted, deletedLater] = [initial, SubmissionsLeft.none<RecordedSubmission>(order)]
    } else continue
    const after = {
      first: better(deletedLater.first, neverDeleted.first, (one, other) => one.revision < other.revision),
      shown: better(deletedLater.best, neverDeleted.shown, order.isBetter),
    }
    if (scored.type === 'ScoreSubmitted') reported.submitted(before, after, event)
    else if (after.first === null) reported.end(event)
    else if (after.first !== before.first || after.shown !== before.shown)
      reported.removed.push({ effect: 'removed', event })
    before = after
  }
}

function better(
  one: RecordedSubmission | null,
  other: RecordedSubmission | null,
  isBetter: (one: RecordedSubmission, other: RecordedSubmission) => boolean,
) {
  if (one === null || other === null) return one ?? other
  return isBetter(one, other) ? one : other
}
