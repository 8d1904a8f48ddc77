// The fold of a board's history, cut into the ranges of a build: which entries show a submission of which range.

import type { Rules } from '../domain/board-rules.ts'
import { type EventReference, type Position, type StoredEvent, unsafeCast } from '../domain/event.ts'
import { isoOf } from '../domain/iso.ts'
import { contentOf, NO_DETAILS, playerOf, type ScoreSubmittedData, scoreStream } from '../domain/score.ts'
import { BoardFold } from '../ranking/board-fold/board-fold.ts'
import type { FoldedEvent, LastEvent } from '../ranking/board-fold/folded-event.ts'
import type { EntryRow } from '../ranking/board-fold/row.ts'
import { streamsFrom } from '../ranking/board-fold/streams.ts'
import { fieldsOfSortKey } from '../ranking/sort-key.ts'
import { yieldToRequests } from '../runtime/yield-to-event-loop.ts'
import type { BriefEvent, History } from '../stores/contract/history.ts'
import type { Log } from '../stores/contract/log.ts'
import { historyPages } from '../stores/support/history-pages.ts'
import type { EntryState } from './entry-state.ts'

/** Some successive events of the history. A range of a build ends where a page ends. */
interface Page {
  readonly end: EventReference
  readonly endAt: Position
  readonly events: number
}

/**
 * The number of the page that contains a position: the first page that ends at or after it, or else the page being
 * read.
 */
export function pageOf(pages: readonly Page[], position: Position): number {
  let [low, high] = [0, pages.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pages[middle]?.endAt ?? '') < position) low = middle + 1
    else high = middle
  }
  return low
}

/** Slots handled between two yields to the event loop. */
const SLOTS_AT_ONCE = 20_000
/** If a page has at most this many submissions to read, they are read one by one, concurrently: that costs less. */
const READ_SINGLY = 16
/** A range has at most this many events, however few entries that makes. */
const MAX_RANGE_EVENTS = 50_000

interface FoldParts {
  readonly log: Pick<Log, 'readStream'>
  readonly part: History['part']
  readonly board: string
  readonly pages: readonly Page[]
  readonly fold: BoardFold
  /** The first past event that cannot be applied under these rules, with the reason; null if all can. */
  readonly broken: { readonly past: string; readonly reason: string } | null
}

export class FoldedHistory {
  readonly broken: FoldParts['broken']
  readonly #source: Pick<FoldParts, 'log' | 'part' | 'board' | 'pages'>
  readonly #rows: BoardFold['rows']
  readonly #rules: Rules
  /** All slots in the order of their pages, and the index at which each page begins. */
  readonly #slots: Uint32Array
  readonly #begins: Uint32Array

  private constructor({ log, part, board, pages, fold, broken }: FoldParts, slots: Uint32Array, begins: Uint32Array) {
    this.#source = { log, part, board, pages }
    this.broken = broken
    this.#rows = fold.rows
    this.#rules = fold.rules
    this.#slots = slots
    this.#begins = begins
  }

  static async of(source: FoldParts): Promise<FoldedHistory> {
    const { rows, pages } = source.fold
    const begins = new Uint32Array(source.pages.length + 2)
    for (let slot = 0; slot < rows.length; slot++) {
      if (slot % SLOTS_AT_ONCE === SLOTS_AT_ONCE - 1) await yieldToRequests()
      // Counts at index page + 2: filling the slots below moves each count to the beginning of its page.
      if (rows.isThere(slot)) (begins[pages.at(slot) + 2] as number)++
    }
    for (let page = 2; page < begins.length; page++) (begins[page] as number) += begins[page - 1] as number
    const slots = new Uint32Array(begins.at(-1) ?? 0)
    for (let slot = 0; slot < rows.length; slot++) {
      if (slot % SLOTS_AT_ONCE === SLOTS_AT_ONCE - 1) await yieldToRequests()
      if (rows.isThere(slot)) slots[(begins[pages.at(slot) + 1] as number)++] = slot
    }
    return new FoldedHistory(source, slots, begins)
  }

  /** Number of events folded. */
  get events(): number {
    return this.#source.pages.reduce((sum, { events }) => sum + events, 0)
  }

  /** The end of the history; null if it was empty. */
  get end(): { readonly event: EventReference; readonly position: Position } | null {
    const last = this.#source.pages.at(-1)
    return last === undefined ? null : { event: last.end, position: last.endAt }
  }

  /**
   * The states of the entries whose shown submission is after one position and up to another. Data that rows do not
   * contain is read from the history or the log; if it is gone from there, the entry has no extra data and no name.
   */
  async entryStates(after: Position | null, upTo: Position): Promise<EntryState[]> {
    const { pages } = this.#source
    const last = Math.min(pageOf(pages, upTo), pages.length - 1)
    const found: EntryState[] = []
    let hasRead = false
    for (let page = this.#firstAfter(after); page <= last; page++) {
      // A range may end inside a page: then each submission's own position decides.
      const isWhole = (after === null || this.#endAt(page - 1) >= after) && this.#endAt(page) <= upTo
      const toRead: EntryRow[] = []
      for (const slot of this.#slots.subarray(this.#begins[page], this.#begins[page + 1])) {
        const own = this.#rows.own(slot)
        if (isWhole && (own.bare || own.sortKey === null)) found.push(this.#stateOf(own, null))
        else toRead.push(own)
      }
      if (toRead.length === 0) continue
      if (hasRead) await yieldToRequests()
      hasRead = true
      const events = await this.#submissions(page, toRead)
      for (const [i, own] of toRead.entries()) {
        const event = events[i] ?? null
        const position = event?.position ?? this.#endAt(page)
        if (position <= upTo && (after === null || position > after)) found.push(this.#stateOf(own, event))
      }
    }
    return found
  }

  /** The next range after a position, with about this many entries, and its number of events; null after the last. */
  next(after: Position | null, entries: number): { readonly upTo: EventReference; readonly events: number } | null {
    let [found, events] = [0, 0]
    let end: EventReference | null = null
    for (let at = this.#firstAfter(after); at < this.#source.pages.length; at++) {
      const page = this.#source.pages[at] as Page
      const own = (this.#begins[at + 1] as number) - (this.#begins[at] as number)
      if (end !== null && (found + own > entries || events + page.events > MAX_RANGE_EVENTS)) break
      found += own
      events += page.events
      end = page.end
    }
    return end === null ? null : { upTo: end, events }
  }

  #endAt = (page: number): Position => this.#source.pages[page]?.endAt ?? ''

  /** The first page with an event after a position. */
  #firstAfter(position: Position | null): number {
    if (position === null) return 0
    const page = pageOf(this.#source.pages, position)
    return this.#endAt(page) === position ? page + 1 : page
  }

  /**
   * The submissions that the entries of a page show, in the same order; undefined for one that is no longer recorded.
   */
  async #submissions(page: number, entries: readonly EntryRow[]): Promise<(StoredEvent | undefined)[]> {
    const { log, part, board, pages } = this.#source
    if (entries.length <= READ_SINGLY) {
      const read = entries.map(({ player, revision }) => log.readStream(scoreStream(board, player), revision, 1))
      return (await Promise.all(read)).map(([event]) => event)
    }
    const { events } = pages[page] as Page
    const whole = await part({ board }, page === 0 ? null : this.#endAt(page - 1), events)
    const byReference = new Map(whole.map((event) => [`${event.revision} ${event.stream}`, event]))
    return entries.map(({ player, revision }) => byReference.get(`${revision} ${scoreStream(board, player)}`))
  }

  /**
   * `event`: the submission that the entry shows; null if its row contains everything, or if it is no longer recorded.
   */
  #stateOf({ player, sortKey, revision, addedMs, id, shownId }: EntryRow, event: StoredEvent | null): EntryState {
    // While nothing is shown, the entry began when the submission was made.
    const fields = sortKey === null ? null : fieldsOfSortKey(sortKey, this.#rules)
    const timeMs = fields?.timeMs ?? addedMs ?? 0
    const details = event === null ? NO_DETAILS : unsafeCast<ScoreSubmittedData>(event.data)
    return {
      player,
      firstSubmission: addedMs === null && shownId === null ? null : { id, added: isoOf(addedMs ?? timeMs) },
      id: shownId ?? id,
      time: isoOf(timeMs),
      revision,
      shown: fields && contentOf(fields, details),
      sortKey,
    }
  }
}

// Folds the history of a unique board in memory under the rules of a generation, so that the projection writes each
// entry once and not for every submission that improved it. Names and bans are not part of the fold: they are read when
// an entry is written.

/** `isTaken`: whether a past event counts, which is false if its stream was parked by then. */
interface ToFold {
  readonly board: string
  readonly rules: Rules
  /** Null: the end of the history when it is read. */
  readonly upTo: Position | null
  isTaken(past: Pick<StoredEvent, 'stream' | 'position'>): boolean
}

export interface FoldDeps {
  readonly log: Pick<Log, 'readStream'>
  readonly history: History
}

/** Events per read: a few milliseconds, after which the event loop gets a turn. */
const READ = 500
/**
 * Events of a page. Where entries show the latest submissions, most events at the end of a history are shown, so that a
 * range is as small as asked for only if a page is.
 */
const PAGE = 50
/** Estimated bytes of a page. */
const PAGE_BYTES = 250
/** Pages of players' streams, and players, between two yields to the event loop. */
const SETTLED_PER_YIELD = 10
/** Events between two progress reports: some tenths of a second. */
const REPORT_EVERY = 100 * READ

export interface FoldOptions {
  readonly signal?: AbortSignal
  /** Called periodically with the number of folded events, and awaited. */
  readonly onProgress?: (events: number) => Promise<void>
}

/** Returns null if the fold needs more than `maxBytes`. Rejects with the signal's reason. O(history). */
export async function foldHistory(
  { log, history }: FoldDeps,
  { board, rules, upTo, isTaken }: ToFold,
  maxBytes: number,
  { signal, onProgress }: FoldOptions = {},
): Promise<FoldedHistory | null> {
  const pages: Page[] = []
  const fold = new BoardFold(rules, { pageOf: (position) => pageOf(pages, position) })
  let broken: FoldedHistory['broken'] = null
  const failed = ({ type, revision, stream }: LastEvent, error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    broken ??= { past: `${type} ${revision} of ${stream}`, reason }
  }
  const isIn = ({ position }: FoldedEvent) => upTo === null || position <= upTo
  const part = history.brief ?? history.part
  let events = 0
  for await (const read of historyPages<BriefEvent | StoredEvent>(
    part,
    { board },
    { isIn, limit: READ, isAhead: true },
    yieldToRequests,
  )) {
    for (let from = 0; from < read.length; from += PAGE) {
      const page = read.slice(from, from + PAGE)
      for (const past of page) {
        if ((past.type !== 'ScoreSubmitted' && past.type !== 'ScoreDeleted') || !isTaken(past)) continue
        try {
          fold.take(past, playerOf(past.stream, board))
        } catch (error) {
          failed(past, error)
        }
      }
      const { stream, revision, position } = page.at(-1) as FoldedEvent
      pages.push({ end: { stream, revision }, endAt: position, events: page.length })
    }
    if (fold.bytes + pages.length * PAGE_BYTES > maxBytes) return null
    signal?.throwIfAborted()
    events += read.length
    if (events % REPORT_EVERY === 0) await onProgress?.(events)
  }
  let steps = 0
  for await (const _ of fold.settle(streamsFrom(log), failed)) {
    if (++steps % SETTLED_PER_YIELD === 0) await yieldToRequests()
    signal?.throwIfAborted()
  }
  return FoldedHistory.of({ log, part: history.part, board, pages, fold, broken })
}
