// What a folded history gives to the slices of a build: which entries show a submission of which part of the history.

import type { BoardFold } from '../board-fold/board-fold.ts'
import type { Own } from '../board-fold/row.ts'
import type { Rules } from '../domain/board-rules.ts'
import { type Position, type StoredEvent, shaped } from '../domain/event.ts'
import type { EventPlace } from '../domain/event-place.ts'
import { isoOf } from '../domain/iso.ts'
import { type ScoreSubmittedData, scoreStream } from '../domain/score.ts'
import { fieldsOfMember } from '../ranking/member-fields.ts'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Standing } from './standing.ts'

/** A page of the history, as it was read. */
export interface Page {
  readonly end: EventPlace
  readonly endAt: Position
  readonly events: number
}

/** The number of the page that a position is in: of the first that ends there or later, or else of the one being read. */
export function pageOf(pages: readonly Page[], position: Position): number {
  let [low, high] = [0, pages.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pages[middle]?.endAt ?? '') < position) low = middle + 1
    else high = middle
  }
  return low
}

/** Slots handled from one turn of the event loop to the next. */
const SLOTS_AT_ONCE = 20_000
/** Submissions read from the log at once. */
const READ_AT_ONCE = 100
/** A part has no more events than this, however few entries that makes. */
const PART_MOST = 50_000

interface Made {
  readonly log: Pick<Log, 'readStream'>
  readonly board: string
  readonly pages: readonly Page[]
  readonly fold: BoardFold
  /** Why a past event cannot be applied under these rules; null where all can. */
  readonly broken: { readonly past: string; readonly why: string } | null
}

export class FoldedHistory {
  readonly broken: Made['broken']
  readonly #made: Pick<Made, 'log' | 'board' | 'pages'>
  readonly #rows: BoardFold['rows']
  readonly #rules: Rules
  /** All slots in the order of their pages, and where each page's begin. */
  readonly #slots: Uint32Array
  readonly #begins: Uint32Array

  private constructor({ log, board, pages, fold, broken }: Made, slots: Uint32Array, begins: Uint32Array) {
    this.#made = { log, board, pages }
    this.broken = broken
    this.#rows = fold.rows
    this.#rules = fold.rules
    this.#slots = slots
    this.#begins = begins
  }

  static async of(made: Made): Promise<FoldedHistory> {
    const { rows, pages } = made.fold
    const begins = new Uint32Array(made.pages.length + 2)
    for (let slot = 0; slot < rows.length; slot++) {
      if (slot % SLOTS_AT_ONCE === SLOTS_AT_ONCE - 1) await yieldToEventLoop()
      // Two places on: filling the slots moves each page's to its begin.
      if (rows.isThere(slot)) (begins[pages.at(slot) + 2] as number)++
    }
    for (let page = 2; page < begins.length; page++) (begins[page] as number) += begins[page - 1] as number
    const slots = new Uint32Array(begins.at(-1) ?? 0)
    for (let slot = 0; slot < rows.length; slot++) {
      if (slot % SLOTS_AT_ONCE === SLOTS_AT_ONCE - 1) await yieldToEventLoop()
      if (rows.isThere(slot)) slots[(begins[pages.at(slot) + 1] as number)++] = slot
    }
    return new FoldedHistory(made, slots, begins)
  }

  /** How many events that were. */
  get events(): number {
    return this.#made.pages.reduce((sum, { events }) => sum + events, 0)
  }

  /** Where the history ends; null where there was none. */
  get end(): { readonly place: EventPlace; readonly position: Position } | null {
    const last = this.#made.pages.at(-1)
    return last === undefined ? null : { place: last.end, position: last.endAt }
  }

  /** Of the entries that show a submission after one position and up to another. What rows do not contain is read from the log. */
  async standings(after: Position | null, upTo: Position): Promise<Standing[]> {
    const { pages } = this.#made
    const last = Math.min(pageOf(pages, upTo), pages.length - 1)
    const found: Standing[] = []
    let read = 0
    for (let page = this.#firstAfter(after); page <= last; page++) {
      // A part may end inside of a page: then each submission's own position decides.
      const isWhole = (after === null || this.#endAt(page - 1) >= after) && this.#endAt(page) <= upTo
      const toRead: Own[] = []
      for (const slot of this.#slots.subarray(this.#begins[page], this.#begins[page + 1])) {
        const own = this.#rows.own(slot)
        if (isWhole && (own.bare || own.member === null)) found.push(this.#standing(own, null))
        else toRead.push(own)
      }
      for (let at = 0; at < toRead.length; at += READ_AT_ONCE) {
        if (read > 0) await yieldToEventLoop()
        read += READ_AT_ONCE
        const some = toRead.slice(at, at + READ_AT_ONCE)
        const events = await Promise.all(some.map((own) => this.#submission(own)))
        for (const [i, event] of events.entries()) {
          const { position } = event
          if (position <= upTo && (after === null || position > after))
            found.push(this.#standing(some[i] as Own, event))
        }
      }
    }
    return found
  }

  /** The next part after a position, with about so many standings in it, and how many events it has; null after the last. */
  next(after: Position | null, standings: number): { readonly upTo: EventPlace; readonly events: number } | null {
    let [found, events] = [0, 0]
    let end: EventPlace | null = null
    for (let at = this.#firstAfter(after); at < this.#made.pages.length; at++) {
      const page = this.#made.pages[at] as Page
      const own = (this.#begins[at + 1] as number) - (this.#begins[at] as number)
      if (end !== null && (found + own > standings || events + page.events > PART_MOST)) break
      found += own
      events += page.events
      end = page.end
    }
    return end === null ? null : { upTo: end, events }
  }

  #endAt = (page: number): Position => this.#made.pages[page]?.endAt ?? ''

  /** The first page with an event after a position. */
  #firstAfter(position: Position | null): number {
    if (position === null) return 0
    const page = pageOf(this.#made.pages, position)
    return this.#endAt(page) === position ? page + 1 : page
  }

  async #submission({ player, revision }: Own): Promise<StoredEvent> {
    const { log, board } = this.#made
    const [event] = await log.readStream(scoreStream(board, player), revision, 1)
    if (event === undefined)
      throw new Error(`the log does not have revision ${revision} of ${scoreStream(board, player)}`)
    return event
  }

  /** `event`: the submission that the entry shows, where its row does not contain all of it. */
  #standing({ player, member, revision, addedMs, id, shownId }: Own, event: StoredEvent | null): Standing {
    // While nothing is shown, when the entry began is when the submission was made.
    const fields = member === null ? null : fieldsOfMember(member, this.#rules)
    const timeMs = fields?.timeMs ?? addedMs ?? 0
    const sent = event === null ? null : shaped<ScoreSubmittedData>(event.data)
    return {
      player,
      begun: addedMs === null && shownId === null ? null : { id, added: isoOf(addedMs ?? timeMs) },
      id: shownId ?? id,
      time: isoOf(timeMs),
      revision,
      shown: fields && {
        score: fields.score,
        secondary: fields.secondary,
        extra: sent?.extra ?? null,
        playerName: sent?.playerName ?? null,
      },
      member,
    }
  }
}
