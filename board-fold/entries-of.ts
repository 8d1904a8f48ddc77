// Which slots are a player's: on a unique board the one, else a chain of them; and which one has an id.

import { Numbers } from './numbers.ts'
import type { Own } from './row.ts'
import { hashOfOne, hashOfText, type Rows } from './rows.ts'
import { SlotTable } from './slot-table.ts'

/** The end of a chain. */
const NONE = 2 ** 32 - 1
/** Entries linked between two turns. */
const SLICE = 256

export class EntriesOf {
  readonly #rows: Rows
  /** A player's slot, or the first of their chain. */
  #first: SlotTable
  /** Where each submission is an entry: by player and id. */
  readonly #ones: SlotTable | null
  /** Of each slot the next one in its chain. */
  readonly #next = new Numbers()
  /** Whether chains are in rank order. */
  #isOrdered = false

  constructor(rows: Rows, unique: boolean) {
    this.#rows = rows
    this.#first = new SlotTable()
    this.#ones = unique ? null : new SlotTable()
  }

  get bytes(): number {
    return this.#first.bytes + (this.#ones?.bytes ?? 0) + this.#next.bytes
  }

  /** Writes an entry over the one of a slot, or, where that is -1, as one more. Gives its slot. */
  put(slot: number, own: Own): number {
    if (slot !== -1) return this.#rows.put(slot, own)
    const hash = hashOfText(own.player)
    const first = this.#head(own.player)
    if (this.#ones === null && first !== -1) return this.#rows.put(first, own)
    const made = this.#rows.put(null, own)
    if (this.#ones === null) {
      this.#first.add(hash, made)
      return made
    }
    this.#ones.add(hashOfOne(own.player, own.id), made)
    this.#chain(hash, first, made)
    return made
  }

  /** Slots come in order of rank, all that are there. From now on each chain is in that order. */
  *order(slots: Uint32Array): Generator<void> {
    if (this.#ones === null) return
    const rows = this.#rows
    const first = new SlotTable()
    // From the last to the first, each comes before those of its player that were linked already.
    for (let at = slots.length - 1; at >= 0; at--) {
      const slot = slots[at] as number
      const player = rows.player(slot)
      const hash = hashOfText(player)
      const next = first.find(hash, (other) => rows.isOf(other, player))
      this.#next.set(slot, next === -1 ? NONE : next)
      if (next === -1) first.add(hash, slot)
      else first.replace(hash, next, slot)
      if (at % SLICE === 0) yield
    }
    this.#first = first
    this.#isOrdered = true
  }

  #chain(hash: number, first: number, made: number): void {
    const rows = this.#rows
    if (first === -1) {
      this.#next.push(NONE)
      this.#first.add(hash, made)
      return
    }
    if (!this.#isOrdered || rows.compare(made, first) < 0) {
      this.#next.push(first)
      this.#first.replace(hash, first, made)
      return
    }
    let before = first
    for (let next = this.#next.at(before); next !== NONE && rows.compare(next, made) < 0; ) {
      before = next
      next = this.#next.at(before)
    }
    this.#next.push(this.#next.at(before))
    this.#next.set(before, made)
  }

  #head(player: string): number {
    return this.#first.find(hashOfText(player), (slot) => this.#rows.isOf(slot, player))
  }

  /** A player's only slot, or -1 where they have no entry. */
  first(player: string): number {
    const slot = this.#head(player)
    return slot === -1 || !this.#rows.isThere(slot) ? -1 : slot
  }

  /** The slot of the player's entry of this id, or -1. */
  one(player: string, id: string): number {
    const rows = this.#rows
    const isIt = (slot: number) => rows.isThere(slot) && rows.isOne(slot, player, id)
    return this.#ones?.find(hashOfOne(player, id), isIt) ?? -1
  }

  *of(player: string): Generator<number> {
    let slot = this.#head(player)
    if (slot === -1) return
    for (;;) {
      if (this.#rows.isThere(slot)) yield slot
      if (this.#ones === null) return
      slot = this.#next.at(slot)
      if (slot === NONE) return
    }
  }
}
