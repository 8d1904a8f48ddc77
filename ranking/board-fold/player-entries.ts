// Finds the slots of a player's entries: one slot on a unique board, otherwise a linked chain of slots. Also finds the
// entry with an id.

import type { EntryRow } from './row.ts'
import { hashOfOne, hashOfText, type Rows } from './rows.ts'
import { SlotTable } from './slot-table.ts'
import { Uint32List } from './uint32-list.ts'

/** Marks the end of a chain. */
const NONE = 2 ** 32 - 1
/** Entries linked per step. */
const STEP = 256

export class PlayerEntries {
  readonly #rows: Rows
  /** A player's slot, or the first slot of their chain. */
  #first: SlotTable
  /** If each submission is an entry: slots by player and id. */
  readonly #ones: SlotTable | null
  /** For each slot, the next one in its chain. */
  readonly #next = new Uint32List()
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

  /** Writes an entry into a slot, or as a new entry if the slot is -1. Returns its slot. */
  put(slot: number, own: EntryRow): number {
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

  /** Reorders the chains by rank and keeps them so from now on. `slots` are all slots in rank order. */
  *order(slots: Uint32Array): Generator<void> {
    if (this.#ones === null) return
    const rows = this.#rows
    const first = new SlotTable()
    // From last to first, so that each slot comes before those of its player that are already linked.
    for (let at = slots.length - 1; at >= 0; at--) {
      const slot = slots[at] as number
      const player = rows.player(slot)
      const hash = hashOfText(player)
      const next = first.find(hash, (other) => rows.isOf(other, player))
      this.#next.set(slot, next === -1 ? NONE : next)
      if (next === -1) first.add(hash, slot)
      else first.replace(hash, next, slot)
      if (at % STEP === 0) yield
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

  /** A player's only slot, or -1 if they have no entry. */
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
