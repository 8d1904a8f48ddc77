// All entries of one board under one set of rules, folded in memory from its history. While the history is read,
// entries are only found by player. `rank` puts them in rank order; later events keep that order.

import type { Rules } from '../../domain/board-rules.ts'
import { entryOfStream, type PresentEntry, reduceEntry } from '../../domain/entry.ts'
import { type Position, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import type { ScoreEvent } from '../../domain/score.ts'
import { scoresOfSortKey } from '../sort-key.ts'
import { type EntrySource, entryBy, type FoldedEvent, type LastEvent, timeMsOf } from './folded-event.ts'
import { PlayerEntries } from './player-entries.ts'
import type { EntryRow } from './row.ts'
import { Rows } from './rows.ts'
import { SlotOrder } from './slot-order.ts'
import type { ReadStream } from './streams.ts'
import { Uint32List } from './uint32-list.ts'

export interface BoardFoldOptions {
  /** Players whose entries are not ranked. */
  readonly hidden?: Iterable<string>
  /** Called for each entry that an event removes, adds or replaces, with its old and new sort key. */
  readonly onChange?: (removed: string | null, added: string | null) => void
  /** If given, each entry keeps the id of the submission it shows, and this number (below 2^32) of its position. */
  readonly pageOf?: (position: Position) => number
}

/** Entries handled per step of `rank`. */
const STEP = 256
/** Estimated bytes of a player that `settle` has yet to read. */
const UNSETTLED_BYTES = 300

/** @fields Columns and indexes of one board, each compact: one object per entry would take several times the memory. */
export class BoardFold {
  readonly rules: Rules
  readonly hidden: Set<string>
  readonly rows = new Rows()
  /** Slots of shown entries, in rank order once `rank` has run. */
  readonly ranked = new SlotOrder()
  /** The result of `pageOf` for each slot; empty without it. */
  readonly pages = new Uint32List()
  /** Counts each time that an entry enters or leaves the ranking. */
  changes = 0
  readonly #entries: PlayerEntries
  readonly #options: BoardFoldOptions
  #isRanked = false
  readonly #unsettled = new Map<string, LastEvent>()

  constructor(rules: Rules, options: BoardFoldOptions = {}) {
    this.rules = rules
    this.hidden = new Set(options.hidden)
    this.#options = options
    this.#entries = new PlayerEntries(this.rows, rules.unique)
  }

  get bytes(): number {
    const { rows, ranked, pages } = this
    const ofPlayers = this.hidden.size * 100 + this.#unsettled.size * UNSETTLED_BYTES
    return rows.bytes + ranked.bytes + pages.bytes + this.#entries.bytes + ofPlayers
  }

  /** Whether `settle` has work to do. */
  get isUnsettled(): boolean {
    return this.#unsettled.size > 0
  }

  /**
   * Applies a submission or a deletion. The events of a player must come in order. If only the player's stream can
   * decide what the entry becomes, the entry stays as it is until `settle`.
   */
  take(event: FoldedEvent, player: string): void {
    const { type, stream, revision } = event
    const { unique } = this.rules
    // If each submission is an entry, a new one replaces none.
    const isNew = !unique && type === 'ScoreSubmitted'
    const slot = isNew ? -1 : unique ? this.#entries.first(player) : this.#entries.one(player, String(event.data.id))
    const change =
      this.isUnsettled && this.#unsettled.has(player)
        ? 'read the stream'
        : reduceEntry(this.rules, slot === -1 ? null : this.#present(slot, type), unsafeCast<ScoreEvent>(event))
    if (typeof change === 'object' || change === 'outside') {
      this.#put(slot, event, {
        player,
        values: change === 'outside' ? null : change,
        firstSubmission: slot === -1 ? null : this.rows.firstSubmission(slot),
      })
      return
    }
    switch (change) {
      case 'remove':
        this.#cut(slot)
        break
      case 'remove all':
        this.remove(player)
        break
      case 'read the stream':
        this.#unsettled.set(player, { type, stream, revision })
    }
  }

  /** Reads the players' streams in steps. `failed` is called for a stream that cannot be folded; else that throws. */
  async *settle(read: ReadStream, failed?: (last: LastEvent, error: unknown) => void): AsyncGenerator<void> {
    for (const [player, last] of this.#unsettled) {
      const stream: StoredEvent[] = []
      for await (const page of read(last)) {
        stream.push(...page)
        yield
      }
      this.#unsettled.delete(player)
      try {
        this.#settleBy(player, stream)
      } catch (error) {
        if (failed === undefined) throw error
        failed(last, error)
      }
      yield
    }
  }

  #settleBy(player: string, stream: readonly StoredEvent[]): void {
    const slot = this.#entries.first(player)
    const { first, shown } = entryOfStream(this.rules, stream)
    if (first === null) {
      if (slot !== -1) this.#cut(slot)
      return
    }
    const firstSubmission = { id: String(first.data.id), addedMs: timeMsOf(first) }
    this.#put(slot, shown?.event ?? first, { player, values: shown?.values ?? null, firstSubmission })
  }

  /**
   * The fields that decide about an event of this type, and no more: decoding whole rows would dominate the cost of an
   * event.
   */
  #present(slot: number, type: string): PresentEntry {
    const { rows, rules } = this
    if (type === 'ScoreSubmitted') {
      return { id: '', shown: rows.isEntry(slot) ? scoresOfSortKey(rows.sortKey(slot), rules) : null }
    }
    const { id, shownId } = rows.own(slot)
    return { id, shownId: this.#options.pageOf === undefined ? undefined : (shownId ?? id), shown: null }
  }

  #put(slot: number, event: FoldedEvent, from: EntrySource): void {
    const { pageOf, onChange } = this.#options
    const made = entryBy(this.rules, event, from, pageOf !== undefined)
    const removed = this.#unrank(slot)
    const put = this.#entries.put(slot, made)
    if (pageOf !== undefined) this.pages.put(put, pageOf(event.position))
    if (from.values !== null) this.#rank(put)
    if (removed !== null || from.values !== null) onChange?.(removed, made.sortKey)
  }

  #cut(slot: number): void {
    const removed = this.#unrank(slot)
    this.rows.drop(slot)
    if (removed !== null) this.#options.onChange?.(removed, null)
  }

  #rank(slot: number): void {
    this.changes++
    if (this.#isRanked && this.#isShown(slot)) this.ranked.insert(slot, this.#comesBefore(slot))
  }

  /** Removes an entry from the ranking. Returns its sort key if `onChange` needs it. */
  #unrank(slot: number): string | null {
    if (slot === -1 || !this.rows.isEntry(slot)) return null
    this.changes++
    if (this.#isRanked && this.#isShown(slot)) this.ranked.remove(slot, this.#comesBefore(slot))
    return this.#options.onChange === undefined ? null : this.rows.sortKey(slot)
  }

  #isShown(slot: number): boolean {
    return this.rows.isEntry(slot) && (this.hidden.size === 0 || !this.hidden.has(this.rows.player(slot)))
  }

  #comesBefore(slot: number): (other: number) => boolean {
    return (other) => this.rows.compare(other, slot) < 0
  }

  /** Puts all shown entries in rank order. No event may be applied before it is done. O(n log n). */
  *rank(): Generator<void> {
    const all = yield* this.rows.sorted()
    yield* this.#entries.order(all)
    let shown = 0
    for (let at = 0; at < all.length; at++) {
      if (at % STEP === 0) yield
      const slot = all[at] as number
      if (this.#isShown(slot)) all[shown++] = slot
    }
    yield* this.ranked.addLast(all.subarray(0, shown))
    this.#isRanked = true
  }

  /** Removes all of a player's entries. O(their number). */
  remove(player: string): void {
    for (const slot of [...this.#entries.of(player)]) this.#cut(slot)
  }

  /** Shows or hides all of a player's entries. O(their number). */
  show(player: string, isShown: boolean): void {
    if (this.hidden.has(player) !== isShown) return
    const slots = [...this.#entries.of(player)]
    if (isShown) this.hidden.delete(player)
    for (const slot of slots) {
      if (isShown) this.#rank(slot)
      else this.#unrank(slot)
    }
    if (!isShown) this.hidden.add(player)
  }

  /** Whether a player has more than `max` entries, shown or hidden. */
  hasMore(player: string, max: number): boolean {
    let count = 0
    for (const _ of this.#entries.of(player)) if (++count > max) return true
    return false
  }

  /** A player's sort keys, shown or hidden; unordered until they are ranked. */
  *sortKeysOf(player: string): Generator<string> {
    for (const slot of this.#entries.of(player)) if (this.rows.isEntry(slot)) yield this.rows.sortKey(slot)
  }

  /** A player's shown entries, best first. */
  *shownOf(player: string): Generator<EntryRow> {
    if (this.hidden.has(player)) return
    for (const slot of this.#entries.of(player)) if (this.rows.isEntry(slot)) yield this.rows.own(slot)
  }

  /** A player's shown entry with an id, or null. */
  shownOne(player: string, id: string): EntryRow | null {
    if (this.hidden.has(player)) return null
    const slot = this.rules.unique ? this.#entries.first(player) : this.#entries.one(player, id)
    return slot !== -1 && this.rows.isEntry(slot) && this.rows.isOne(slot, player, id) ? this.rows.own(slot) : null
  }

  /** The slot of a player's best shown entry, or -1. Call it only once the entries are ranked. */
  bestOf(player: string): number {
    for (const slot of this.#entries.of(player)) if (this.#isShown(slot)) return slot
    return -1
  }

  /** The shown entries from rank `offset` (from 0) on. */
  at(offset: number, limit: number): EntryRow[] {
    return this.ranked.range(offset, limit).map((slot) => this.rows.own(slot))
  }

  /** The number of shown entries that rank before a sort key. */
  before(sortKey: string): number {
    return this.ranked.before((slot) => this.rows.isBefore(slot, sortKey))
  }
}
