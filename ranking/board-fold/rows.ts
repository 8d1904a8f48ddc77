// The entries of a board packed in bytes: 90 to 120 bytes per entry. Each entry has a slot, a number that never
// changes.

import { mixed, textHash } from '../../domain/hash.ts'
import { sorted } from '../sort.ts'
import { idInBytes, timeInBytes } from '../sort-key.ts'
import {
  dropRow,
  type EntryRow,
  type FirstSubmission,
  firstSubmissionIn,
  idIn,
  isRanked,
  isText,
  isThere,
  lengthOf,
  playerAt,
  readRow,
  rowLength,
  textAt,
  writeRow,
} from './row.ts'
import { Uint32List } from './uint32-list.ts'

const PAGE = 65_536
const SMALLEST = 1_024
/** Rows start at multiples of this, so that a changed row usually fits into its old space. */
const UNIT = 4
const UNITS = PAGE / UNIT
/** Characters encoded in a sort key number, seven bits each. */
const KEY_LENGTH = 7

/** Rows handled per step of `sorted`. */
const STEP = 256

export class Rows {
  readonly #pages: Buffer[] = []
  /** Units used in the last page. */
  #usedUnits = 0
  readonly #offsets = new Uint32List()

  get length(): number {
    return this.#offsets.length
  }

  get bytes(): number {
    return this.#pages.reduce((sum, { length }) => sum + length, this.#offsets.bytes)
  }

  /**
   * Writes an entry into its slot, or into a new slot if null. Returns the slot. Throws RangeError for text that is not
   * ASCII.
   */
  put(slot: number | null, own: EntryRow): number {
    const units = Math.ceil(lengthOf(own) / UNIT)
    const isThere = slot !== null && units <= Math.ceil(rowLength(...this.#find(slot)) / UNIT)
    const offset = isThere ? this.#offsets.at(slot) : this.#room(units)
    writeRow(this.#pages[Math.floor(offset / UNITS)] as Buffer, (offset % UNITS) * UNIT, own)
    if (slot === null) return this.#offsets.push(offset)
    this.#offsets.set(slot, offset)
    return slot
  }

  own(slot: number): EntryRow {
    const [page, at] = this.#find(slot)
    return readRow(page, at)
  }

  firstSubmission(slot: number): FirstSubmission {
    return firstSubmissionIn(...this.#find(slot))
  }

  player(slot: number): string {
    const [page, at] = this.#find(slot)
    return page.toString('latin1', playerAt(page, at), textAt(page, at))
  }

  /** The sort key of an entry. The entry must have one. */
  sortKey(slot: number): string {
    const [page, at] = this.#find(slot)
    const text = textAt(page, at)
    return page.toString('latin1', text, text + page.readUInt16LE(at + 2))
  }

  /** Marks the entry as removed; its slot may be written again. */
  drop(slot: number): void {
    const [page, at] = this.#find(slot)
    dropRow(page, at)
  }

  isThere(slot: number): boolean {
    const [page, at] = this.#find(slot)
    return isThere(page, at)
  }

  /** Whether the entry exists and has a sort key. */
  isEntry(slot: number): boolean {
    const [page, at] = this.#find(slot)
    return isRanked(page, at)
  }

  isOf(slot: number, player: string): boolean {
    const [page, at] = this.#find(slot)
    return (page[at + 1] as number) === player.length && isText(page, playerAt(page, at), player)
  }

  /** Whether it is this player's entry with this id. */
  isOne(slot: number, player: string, id: string): boolean {
    if (!this.isOf(slot, player)) return false
    const [page, at] = this.#find(slot)
    const [from, end] = idIn(page, at)
    return end - from === id.length && isText(page, from, id)
  }

  /** Whether its sort key sorts before a text. */
  isBefore(slot: number, sortKey: string): boolean {
    const [page, at] = this.#find(slot)
    const from = textAt(page, at)
    const length = page.readUInt16LE(at + 2)
    const { length: common } = sortKey
    for (let next = 0; next < length && next < common; next++) {
      const difference = (page[from + next] as number) - sortKey.charCodeAt(next)
      if (difference !== 0) return difference < 0
    }
    return length < common
  }

  /** Compares by sort key; equal sort keys, which only different players can have, by player. */
  compare = (a: number, b: number): number => {
    const [pageA, atA] = this.#find(a)
    const [pageB, atB] = this.#find(b)
    const [fromA, fromB] = [textAt(pageA, atA), textAt(pageB, atB)]
    const [lengthA, lengthB] = [pageA.readUInt16LE(atA + 2), pageB.readUInt16LE(atB + 2)]
    const least = Math.min(lengthA, lengthB)
    for (let next = 0; next < least; next++) {
      const difference = (pageA[fromA + next] as number) - (pageB[fromB + next] as number)
      if (difference !== 0) return difference
    }
    if (lengthA !== lengthB) return lengthA - lengthB
    return Buffer.compare(pageA.subarray(playerAt(pageA, atA), fromA), pageB.subarray(playerAt(pageB, atB), fromB))
  }

  /** A number that sorts like the sort keys, but is equal for sort keys with the same first characters. */
  key(slot: number): number {
    const [page, at] = this.#find(slot)
    const from = textAt(page, at)
    const length = page.readUInt16LE(at + 2)
    let key = 0
    for (let next = 0; next < KEY_LENGTH; next++) key = key * 128 + (next < length ? (page[from + next] as number) : 0)
    return key
  }

  /** When an entry was set, in Unix milliseconds. */
  timeMs(slot: number): number {
    const [page, at] = this.#find(slot)
    return timeInBytes(page, idInBytes(page, textAt(page, at)))
  }

  /** The slots of all entries with a sort key, in rank order. O(n log n). */
  *sorted(): Generator<void, Uint32Array> {
    const slots = new Uint32Array(this.length)
    const keys = new Float64Array(this.length)
    let count = 0
    for (let slot = 0; slot < this.length; slot++) {
      if (slot % STEP === 0) yield
      if (!this.isEntry(slot)) continue
      slots[count] = slot
      keys[count++] = this.key(slot)
    }
    return yield* sorted(slots.subarray(0, count), keys.subarray(0, count), this.compare)
  }

  #find(slot: number): readonly [Buffer, number] {
    const offset = this.#offsets.at(slot)
    return [this.#pages[Math.floor(offset / UNITS)] as Buffer, (offset % UNITS) * UNIT]
  }

  /** Allocates space in the last page or a new one. Returns the position in units. */
  #room(units: number): number {
    const last = this.#pages.at(-1)
    if (last === undefined || this.#usedUnits + units > UNITS) {
      this.#pages.push(Buffer.alloc(last === undefined ? SMALLEST : PAGE))
      this.#usedUnits = 0
    }
    const page = this.#pages.length - 1
    for (let buffer = this.#pages[page] as Buffer; (this.#usedUnits + units) * UNIT > buffer.length; ) {
      buffer = Buffer.concat([buffer], buffer.length * 2)
      this.#pages[page] = buffer
    }
    const offset = page * UNITS + this.#usedUnits
    this.#usedUnits += units
    return offset
  }
}

export const hashOfText = (text: string): number => mixed(textHash(text))
export const hashOfOne = (player: string, id: string): number => mixed(textHash(id, textHash(player)))
