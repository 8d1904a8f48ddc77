// A board's entries folded from its history under one set of rules. While the history goes by, entries are only found
// by player; they are put in rank order at its end, at once.

import { type StoredEvent, shaped } from '../../domain/event.ts'
import type { Rules } from '../../domain/leaderboard.ts'
import { type ScoreEvent, submissionsLeft } from '../../domain/score.ts'
import { fieldsOfMember } from '../../ranking/member-fields.ts'
import type { Slices } from '../../scheduling/time-slices.ts'
import { EntriesOf } from './entries-of.ts'
import { madeOf, madeOfAll } from './made.ts'
import { type Own, Rows } from './rows.ts'
import { SlotOrder } from './slot-order.ts'
import { sorted } from './sort.ts'

/** What an event made of its player's members. */
export interface Change {
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** Entries looked at between two looks at the clock. */
const SLICE = 256

const NOTHING: Change = { removed: [], added: [] }

/** Gives the stream of an event up to and with it, in parts. */
export type Recall = (event: StoredEvent) => AsyncIterable<readonly StoredEvent[]>

export class BoardFold {
  readonly rules: Rules
  readonly hidden: Set<string>
  readonly rows = new Rows()
  /** Those that are shown, once they are ranked. */
  readonly ranked = new SlotOrder()
  /** How often an entry came into the ranking or went out of it. */
  changes = 0
  readonly #entries: EntriesOf
  #isRanked = false
  /** Players whose standing their stream must tell, and the last event of it that counts. */
  readonly #recalled = new Map<string, StoredEvent>()

  constructor(rules: Rules, hidden: Iterable<string> = []) {
    this.rules = rules
    this.hidden = new Set(hidden)
    this.#entries = new EntriesOf(this.rows, rules.unique)
  }

  get bytes(): number {
    return this.rows.bytes + this.ranked.bytes + this.#entries.bytes + this.hidden.size * 100
  }

  /**
   * Takes a submission or a deletion; events of one player come in their order. Null where the player's stream must
   * tell what has become of it: that is done by `settle`.
   */
  take(event: StoredEvent): Change | null {
    const { type, data } = shaped<ScoreEvent>(event)
    const player = event.meta.player ?? ''
    const isOfOtherKind = type === 'ScoreDeleted' && this.rules.unique !== (data.upTo !== null)
    if (isOfOtherKind || this.#recalled.has(player)) {
      this.#recalled.set(player, event)
      return null
    }
    if (type === 'ScoreSubmitted') return this.#submitted(player, event)
    const slot = this.rules.unique ? this.#entries.first(player) : this.#entries.one(player, data.id)
    return slot === -1 ? NOTHING : this.#cut(slot)
  }

  /** Has the streams tell what their players' standings are; in the end nobody is left of whom that is to be told. */
  async settle(recall: Recall, slices: Slices): Promise<Change> {
    const [removed, added]: [string[], string[]] = [[], []]
    for (const [player, last] of this.#recalled) {
      const stream: StoredEvent[] = []
      for await (const page of recall(last)) {
        stream.push(...page)
        if (slices.due) await slices.pause()
      }
      this.#recalled.delete(player)
      const left = submissionsLeft(stream)
      const changes = this.rules.unique ? [this.#standAnew(player, left)] : this.#allAnew(player, stream, left)
      for (const change of changes) {
        removed.push(...change.removed)
        added.push(...change.added)
        if (slices.due) await slices.pause()
      }
    }
    return { removed, added }
  }

  #submitted(player: string, event: StoredEvent): Change {
    const slot = this.rules.unique ? this.#entries.first(player) : -1
    const made = madeOf(this.rules, player, event, slot === -1 ? null : this.rows.own(slot))
    return made === null ? NOTHING : this.#put(slot, made)
  }

  #standAnew(player: string, left: readonly StoredEvent[]): Change {
    const slot = this.#entries.first(player)
    const made = madeOfAll(this.rules, player, left)
    if (made !== null) return this.#put(slot, made)
    return slot === -1 ? NOTHING : this.#cut(slot)
  }

  /** Where each submission is an entry: each as it is left or not. */
  *#allAnew(player: string, stream: readonly StoredEvent[], left: readonly StoredEvent[]): Generator<Change> {
    const stays = new Set(left.map(({ revision }) => revision))
    for (const event of stream) {
      if (event.type !== 'ScoreSubmitted') continue
      const slot = this.#entries.one(player, String(event.data.id))
      if (!stays.has(event.revision)) yield slot === -1 ? NOTHING : this.#cut(slot)
      else if (slot === -1) yield this.#submitted(player, event)
    }
  }

  #put(slot: number, made: Own): Change {
    const removed: string[] = []
    if (slot !== -1 && this.rows.isEntry(slot)) {
      removed.push(this.rows.member(slot))
      this.#unrank(slot)
    }
    const put = this.#entries.put(slot, made)
    if (made.member === null) return { removed, added: [] }
    this.#rank(put)
    return { removed, added: [made.member] }
  }

  #cut(slot: number): Change {
    const removed = this.rows.isEntry(slot) ? [this.rows.member(slot)] : []
    this.#unrank(slot)
    this.rows.drop(slot)
    return { removed, added: [] }
  }

  #rank(slot: number): void {
    this.changes++
    if (this.#isRanked && this.#isShown(slot)) this.ranked.insert(slot, this.#comesBefore(slot))
  }

  #unrank(slot: number): void {
    this.changes++
    if (this.#isRanked && this.#isShown(slot)) this.ranked.remove(slot, this.#comesBefore(slot))
  }

  #isShown(slot: number): boolean {
    return this.rows.isEntry(slot) && (this.hidden.size === 0 || !this.hidden.has(this.rows.player(slot)))
  }

  #comesBefore = (slot: number) => (other: number) => this.rows.compare(other, slot) < 0

  /** Puts all that is shown in rank order, where it stays from now on. Nothing may come meanwhile. O(n log n). */
  async rank(slices: Slices): Promise<void> {
    const { rows } = this
    const slots = new Uint32Array(rows.length)
    const keys = new Float64Array(rows.length)
    let count = 0
    for (let slot = 0; slot < rows.length; slot++) {
      if (slot % SLICE === 0 && slices.due) await slices.turn()
      if (!rows.isEntry(slot)) continue
      slots[count] = slot
      keys[count++] = rows.key(slot)
    }
    const all = await slices.result(sorted(slots.subarray(0, count), keys.subarray(0, count), rows.compare))
    await slices.all(this.#entries.order(all))
    let shown = 0
    for (let at = 0; at < count; at++) {
      if (at % SLICE === 0 && slices.due) await slices.turn()
      const slot = all[at] as number
      if (this.#isShown(slot)) all[shown++] = slot
    }
    await slices.all(this.ranked.addLast(all.subarray(0, shown)))
    this.#isRanked = true
  }

  /** Takes away all of a player's entries. O(these). */
  remove(player: string): void {
    for (const slot of [...this.#entries.of(player)]) this.#cut(slot)
  }

  /** Shows or hides all of a player's entries. O(these). */
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

  /** Whether a player has more entries than so many, shown or not. */
  hasMore(player: string, most: number): boolean {
    let count = 0
    for (const _ of this.#entries.of(player)) if (++count > most) return true
    return false
  }

  /** A player's members, shown or not; in no order while they are not ranked. */
  *membersOf(player: string): Generator<string> {
    for (const slot of this.#entries.of(player)) if (this.rows.isEntry(slot)) yield this.rows.member(slot)
  }

  /** A player's entries that are shown, best first. */
  *shownOf(player: string): Generator<Own> {
    if (this.hidden.has(player)) return
    for (const slot of this.#entries.of(player)) if (this.rows.isEntry(slot)) yield this.rows.own(slot)
  }

  /** A player's entry of an id, where it is shown; or null. */
  shownOne(player: string, id: string): Own | null {
    if (this.hidden.has(player)) return null
    const slot = this.rules.unique ? this.#entries.first(player) : this.#entries.one(player, id)
    if (slot === -1 || !this.rows.isEntry(slot) || !this.rows.isOne(slot, player, id)) return null
    return this.rows.own(slot)
  }

  /** The entries at these places. */
  at(offset: number, limit: number): Own[] {
    return this.ranked.range(offset, limit).map((slot) => this.rows.own(slot))
  }

  /** How many come before a member. */
  before(member: string): number {
    return this.ranked.before((slot) => this.rows.isBefore(slot, member))
  }

  fields = (member: string) => fieldsOfMember(member, this.rules)
}
