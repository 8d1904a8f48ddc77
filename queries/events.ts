// The history of one game: pages of events in log order up to the position that is complete, filtered, and optionally
// followed by new events.

import { setTimeout } from 'node:timers/promises'
import type { Position, StoredEvent } from '../domain/event.ts'
import { boardStream } from '../domain/leaderboard.ts'
import { TimeSlices } from '../runtime/time-slices.ts'
import type { History, PositionRange, TimeRange } from '../stores/contract/history.ts'
import type { Log } from '../stores/contract/log.ts'

/** Events per read: the most that a reader of a stream holds, besides what is being sent. */
const PAGE = 100
/** Polling interval while there is nothing new. */
const POLL_EVERY_MS = 250

export interface EventsDeps {
  readonly history: History
  /** Absent where the log store gives the events of a stream without their positions. */
  readonly streams?: Pick<Log, 'readStream'>
  /** The position up to which a game's history is complete; null if there is none yet. */
  reached(game: string): Promise<Position | null>
  /** Whether there is an event at this position of the log. False for text that is not a position. */
  isPosition(position: Position): Promise<boolean>
  /** Whether a text that is no position of this log is one of the log that it was restored from. */
  isFromBeforeRestore(position: Position): Promise<boolean>
}

export interface EventsQuery {
  readonly game: string
  readonly board: string | null
  readonly player: string | null
  readonly type: string | null
  /** Id of the API call that recorded them. */
  readonly request: string | null
  /** ISO 8601, UTC, milliseconds: inclusive start and exclusive end. */
  readonly since: string | null
  readonly until: string | null
  /** After this position; null: from the beginning. */
  readonly after: Position | null
  readonly limit: number
  readonly follow: boolean
}

/** A chunk of the answer: matching events, and the position up to which all of them have been returned so far. */
export interface EventsPage {
  readonly events: readonly StoredEvent[]
  readonly upTo: Position | null
}

/**
 * Yields the matching events page by page in log order. Without `follow` it ends with the events that exist at the
 * start; with it, when the signal aborts. With `follow` it also yields an empty page after each poll. Each page is read
 * when the caller asks for it.
 */
export async function* eventPages(
  deps: EventsDeps,
  query: EventsQuery,
  ending: AbortSignal,
): AsyncGenerator<EventsPage> {
  const ofStream = streamReader(deps, query)
  const readPage = ofStream ?? historyReader(deps, query)
  const end = query.follow ? null : await deps.reached(query.game)
  let left = query.limit
  const slices = new TimeSlices(undefined, [query.game, '', ''])
  // A stream is short: filtering its events by time costs less than skipping.
  const isTimed = ofStream === null && (query.since !== null || query.until !== null)
  let maySkip = isTimed
  for (let after = query.after; !ending.aborted; ) {
    const until = end ?? (await deps.reached(query.game))
    if (maySkip && until !== null) after = await skipped(deps, query, { after, upTo: until }, { slices, ending })
    if (ending.aborted) return
    const read = until === null ? [] : await readPage(after, until)
    const isAll = read.length < PAGE
    after = later(after, isAll ? until : (read.at(-1) as StoredEvent).position)
    // After a page with events in the range of times, the next one most likely has some, too.
    maySkip = isTimed && !isAll && !read.some(({ meta }) => isWithin(meta.time, query))
    const events = read.filter((event) => matches(event, query)).slice(0, left)
    left -= events.length
    yield { events, upTo: after }
    if (left === 0 || (isAll && !query.follow)) return
    if (isAll) await setTimeout(POLL_EVERY_MS, undefined, { signal: ending }).catch(() => {})
    // A filter that rejects most events would otherwise block other requests.
    else await slices.yieldIgnoringAbort()
  }
}

/**
 * Reads the next page in log order: at most PAGE events, up to and including `until`; fewer if there are no more. A
 * page of a stream may have events that are not after `after`, which `matches` removes.
 */
type ReadPage = (after: Position | null, until: Position) => Promise<readonly StoredEvent[]>

/**
 * Reads the leaderboard's own stream, if it has all events of the query; otherwise null. Events of types that begin
 * with Leaderboard are only there. It is short, while the leaderboard's history also has every submission. It keeps its
 * place, so it serves one query.
 */
function streamReader({ streams }: EventsDeps, { board, type }: EventsQuery): ReadPage | null {
  if (streams === undefined || board === null || type?.startsWith('Leaderboard') !== true) return null
  let from = 0
  return async (_after, until) => {
    const read = await streams.readStream(boardStream(board), from, PAGE)
    const complete = read.filter(({ position }) => position <= until)
    from = (complete.at(-1)?.revision ?? from - 1) + 1
    return complete
  }
}

function historyReader({ history }: EventsDeps, { game, board }: EventsQuery): ReadPage {
  const filter = board === null ? { game } : { board }
  // If the history is a view, events beyond `until` may still have gaps.
  return async (after, until) => (await history.part(filter, after, PAGE)).filter(({ position }) => position <= until)
}

/** The position from which on events may be in the range of times. */
async function skipped(
  { history }: EventsDeps,
  { game, since, until }: EventsQuery,
  { after, upTo }: PositionRange,
  { slices, ending }: { readonly slices: TimeSlices; readonly ending: AbortSignal },
): Promise<Position | null> {
  for (let from = after; ; ) {
    const next = await history.skip(game, { after: from, upTo }, { since, until })
    if (next === from || next === upTo || ending.aborted) return next
    from = next
    await slices.yieldIgnoringAbort()
  }
}

function matches({ type, meta, position }: StoredEvent, query: EventsQuery): boolean {
  if (query.after !== null && position <= query.after) return false
  if (query.type !== null && query.type !== type) return false
  if (query.player !== null && query.player !== meta.player) return false
  if (query.request !== null && query.request !== meta.request) return false
  return isWithin(meta.time, query)
}

const isWithin = (time: string, { since, until }: TimeRange): boolean =>
  (since === null || time >= since) && (until === null || time < until)

const later = (a: Position | null, b: Position | null): Position | null => (a === null || (b !== null && b > a) ? b : a)

/** An event in the export format: one line of JSON. */
export function eventAnswer({ position, stream, revision, id, type, data, meta }: StoredEvent) {
  return { position, stream, revision, id, type, time: meta.time, data, meta }
}
