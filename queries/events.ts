// One game's history: pages of events in log order, up to the last settled position, filtered
// by filters, and then what comes.

import { setTimeout } from 'node:timers/promises'
import type { Position, StoredEvent } from '../domain/event.ts'
import { TimeSlices } from '../scheduling/time-slices.ts'
import type { History } from '../stores/contract/history.ts'

/** Events read at once: what a reader of a stream holds at most, beside what is on its way to them. */
const PAGE = 100
/** Where nothing new is there, it is looked again after this long. */
const LOOK_EVERY_MS = 250

export interface EventsDeps {
  readonly history: History
  /** How far the history of a game is whole by now; null where nothing is there yet. */
  reached(game: string): Promise<Position | null>
  /** Whether an event stands at this position of the log. False for what is no position at all. */
  isPosition(position: Position): Promise<boolean>
}

export interface EventsAsked {
  readonly game: string
  readonly board: string | null
  readonly player: string | null
  readonly type: string | null
  /** ISO 8601, UTC, milliseconds: from this instant on, and up to (exclusive) that. */
  readonly since: string | null
  readonly until: string | null
  /** After this position; null: from the beginning. */
  readonly after: Position | null
  readonly limit: number
  readonly follow: boolean
}

/** A part of the answer: events that match, and the position up to which all of them have been given by now. */
export interface EventsPage {
  readonly events: readonly StoredEvent[]
  readonly upTo: Position | null
}

/**
 * What is asked for, page by page, in log order. Without `follow` it ends with what was there at the beginning; with
 * it, once the signal aborts, and then a page comes also where nothing did, after each look. Each page is read when it
 * is asked for.
 */
export async function* eventPages(
  deps: EventsDeps,
  asked: EventsAsked,
  ending: AbortSignal,
): AsyncGenerator<EventsPage> {
  const end = asked.follow ? null : await deps.reached(asked.game)
  let left = asked.limit
  const slices = new TimeSlices(undefined, [asked.game, '', ''])
  for (let after = asked.after; !ending.aborted; ) {
    const until = end ?? (await deps.reached(asked.game))
    const read = until === null ? [] : await stretch(deps, asked, after, until)
    const isAll = read.length < PAGE
    after = isAll ? further(after, until) : (read.at(-1) as StoredEvent).position
    const events = read.filter((event) => matches(event, asked)).slice(0, left)
    left -= events.length
    yield { events, upTo: after }
    if (left === 0 || (isAll && !asked.follow)) return
    if (isAll) await setTimeout(LOOK_EVERY_MS, undefined, { signal: ending }).catch(() => {})
    // A filter that little passes would keep every request waiting.
    else await slices.yieldIgnoringAbort()
  }
}

/** At most a page of events after one position, up to and with another. */
async function stretch({ history }: EventsDeps, { game, board }: EventsAsked, after: Position | null, until: Position) {
  const read = await history.part(board === null ? { game } : { board }, after, PAGE)
  // Where the history is a view, what lies beyond may be there with gaps yet.
  return read.filter(({ position }) => position <= until)
}

function matches({ type, meta }: StoredEvent, asked: EventsAsked): boolean {
  if (asked.type !== null && asked.type !== type) return false
  if (asked.player !== null && asked.player !== meta.player) return false
  if (asked.since !== null && meta.time < asked.since) return false
  return asked.until === null || meta.time < asked.until
}

const further = (a: Position | null, b: Position | null): Position | null =>
  a === null || (b !== null && b > a) ? b : a

/** An event in the form for analysts: one line of the export. */
export function eventAnswer({ position, stream, revision, id, type, data, meta }: StoredEvent) {
  return { position, stream, revision, id, type, time: meta.time, data, meta }
}
