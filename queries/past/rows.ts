// The entries of a past board, packed in bytes: little enough to keep a million of them. Each has a slot, a number that
// stays its own. What a row does not say (extra data, a name of its own) is read from the history when it is shown.
//
//   row = flags, length of the player's id, length of the text (2 bytes), revision (4), [when it began (6),] player's id, text
//   text = the member; of an entry that is outside the bounds, and so has none, its id

import { mixed, textHash } from '../../domain/hash.ts'
import { idInBytes, timeInBytes } from '../../ranking/member.ts'
import { Numbers } from './numbers.ts'

/** An entry, and where it comes from. */
export interface Own {
  readonly player: string
  /** Null for a unique board's entry that is none while all of its player's submissions lie outside the bounds. */
  readonly member: string | null
  /** Of the submission that the entry shows, in the player's stream on that board. */
  readonly revision: number
  /** Whether the submission has nothing that the member does not say. */
  readonly bare: boolean
  /** Unix milliseconds of when the entry began; null where it is the member's own time. */
  readonly addedMs: number | null
  readonly id: string
}

const BARE = 1
const RANKED = 2
const DATED = 4
const GONE = 8
const HEADER = 8
const MAX_PLAYER_LENGTH = 255
const DATE = 6
const PAGE = 65_536
const SMALLEST = 1_024
/** Rows begin at multiples of this, so that one which changes mostly finds room where it is. */
const UNIT = 4
const UNITS = PAGE / UNIT
/** Characters that a key tells of, of seven bits each. */
const KEY_LENGTH = 7

export class Rows {
  readonly #pages: Buffer[] = []
  /** Units of the last page that are taken. */
  #taken = 0
  readonly #places = new Numbers()

  get length(): number {
    return this.#places.length
  }

  get bytes(): number {
    return this.#pages.reduce((sum, { length }) => sum + length, this.#places.bytes)
  }

  /**
   * Writes an entry, over what its slot held, or into a slot of its own. Gives the slot. Throws
   * RangeError for what is not ASCII.
   */
  put(slot: number | null, own: Own): number {
    const units = Math.ceil(lengthOf(own) / UNIT)
    const isThere = slot !== null && units <= Math.ceil(this.#length(slot) / UNIT)
    const place = isThere ? this.#places.at(slot) : this.#room(units)
    write(this.#pages[Math.floor(place / UNITS)] as Buffer, (place % UNITS) * UNIT, own)
    if (slot === null) return this.#places.push(place)
    this.#places.set(slot, place)
    return slot
  }

  own(slot: number): Own {
    const [page, at] = this.#find(slot)
    const flags = page[at] as number
    const text = textAt(page, at)
    const from = playerAt(page, at)
    // Both at once: a call for each costs more than cutting them apart.
    const both = page.toString('latin1', from, text + page.readUInt16LE(at + 2))
    const own = both.slice(text - from)
    const isRanked = (flags & RANKED) !== 0
    return {
      player: both.slice(0, text - from),
      member: isRanked ? own : null,
      revision: page.readUInt32LE(at + 4),
      bare: (flags & BARE) !== 0,
      addedMs: (flags & DATED) === 0 ? null : page.readUIntLE(at + HEADER, DATE),
      id: isRanked ? own.slice(idInBytes(page, text) - text) : own,
    }
  }

  player(slot: number): string {
    const [page, at] = this.#find(slot)
    return page.toString('latin1', playerAt(page, at), textAt(page, at))
  }

  /** The member of an entry that has one. */
  member(slot: number): string {
    const [page, at] = this.#find(slot)
    const text = textAt(page, at)
    return page.toString('latin1', text, text + page.readUInt16LE(at + 2))
  }

  /** The entry went; its slot may be written again. */
  drop(slot: number): void {
    const [page, at] = this.#find(slot)
    page[at] = (page[at] as number) | GONE
  }

  isThere(slot: number): boolean {
    const [page, at] = this.#find(slot)
    return ((page[at] as number) & GONE) === 0
  }

  /** Whether it is there and has a member. */
  isEntry(slot: number): boolean {
    const [page, at] = this.#find(slot)
    return ((page[at] as number) & (GONE | RANKED)) === RANKED
  }

  isOf(slot: number, player: string): boolean {
    const [page, at] = this.#find(slot)
    return (page[at + 1] as number) === player.length && isText(page, playerAt(page, at), player)
  }

  /** Whether it is this player's of this id. */
  isOne(slot: number, player: string, id: string): boolean {
    if (!this.isOf(slot, player)) return false
    const [page, at] = this.#find(slot)
    const [from, end] = idIn(page, at)
    return end - from === id.length && isText(page, from, id)
  }

  /** Whether its member comes before a text. */
  isBefore(slot: number, member: string): boolean {
    const [page, at] = this.#find(slot)
    const from = textAt(page, at)
    const length = page.readUInt16LE(at + 2)
    const { length: most } = member
    for (let next = 0; next < length && next < most; next++) {
      const difference = (page[from + next] as number) - member.charCodeAt(next)
      if (difference !== 0) return difference < 0
    }
    return length < most
  }

  /** By member; of one member, which only different players can have, by player. */
  compare = (a: number, b: number): number => {
    const [pageA, atA] = this.#find(a)
    const [pageB, atB] = this.#find(b)
    const [fromA, fromB] = [textAt(pageA, atA), textAt(pageB, atB)]
    const [lengthA, lengthB] = [pageA.readUInt16LE(atA + 1), pageB.readUInt16LE(atB + 1)]
    const least = Math.min(lengthA, lengthB)
    for (let next = 0; next < least; next++) {
      const difference = (pageA[fromA + next] as number) - (pageB[fromB + next] as number)
      if (difference !== 0) return difference
    }
    if (lengthA !== lengthB) return lengthA - lengthB
    return Buffer.compare(pageA.subarray(playerAt(pageA, atA), fromA), pageB.subarray(playerAt(pageB, atB), fromB))
  }

  /** A number whose order is that of members, but that is the same for those which begin alike. */
  key(slot: number): number {
    const [page, at] = this.#find(slot)
    const from = textAt(page, at)
    const length = page.readUInt16LE(at + 2)
    let key = 0
    for (let next = 0; next < KEY_LENGTH; next++) key = key * 128 + (next < length ? (page[from + next] as number) : 0)
    return key
  }

  /** When an entry was set: Unix milliseconds. */
  timeMs(slot: number): number {
    const [page, at] = this.#find(slot)
    return timeInBytes(page, idInBytes(page, textAt(page, at)))
  }

  #find(slot: number): readonly [Buffer, number] {
    const place = this.#places.at(slot)
    return [this.#pages[Math.floor(place / UNITS)] as Buffer, (place % UNITS) * UNIT]
  }

  #length(slot: number): number {
    const [page, at] = this.#find(slot)
    return textAt(page, at) + page.readUInt16LE(at + 2) - at
  }

  /** Makes room in the last page, or in one more. */
  #room(units: number): number {
    const last = this.#pages.at(-1)
    if (last === undefined || this.#taken + units > UNITS) {
      this.#pages.push(Buffer.alloc(last === undefined ? SMALLEST : PAGE))
      this.#taken = 0
    }
    const page = this.#pages.length - 1
    for (let held = this.#pages[page] as Buffer; (this.#taken + units) * UNIT > held.length; ) {
      held = Buffer.concat([held], held.length * 2)
      this.#pages[page] = held
    }
    const place = page * UNITS + this.#taken
    this.#taken += units
    return place
  }
}

export const hashOfText = (text: string): number => mixed(textHash(text))
export const hashOfOne = (player: string, id: string): number => mixed(textHash(id, textHash(player)))

const playerAt = (page: Buffer, at: number): number => at + HEADER + (((page[at] as number) & DATED) === 0 ? 0 : DATE)
const textAt = (page: Buffer, at: number): number => playerAt(page, at) + (page[at + 1] as number)

function idIn(page: Buffer, at: number): [number, number] {
  const text = textAt(page, at)
  return [((page[at] as number) & RANKED) === 0 ? text : idInBytes(page, text), text + page.readUInt16LE(at + 2)]
}

const lengthOf = ({ player, member, addedMs, id }: Own): number =>
  HEADER + (addedMs === null ? 0 : DATE) + player.length + (member ?? id).length

function write(page: Buffer, at: number, { player, member, revision, bare, addedMs, id }: Own): void {
  if (player.length > MAX_PLAYER_LENGTH) throw new RangeError(`a player's id of ${player.length} characters`)
  const text = member ?? id
  page[at] = (bare ? BARE : 0) | (member === null ? 0 : RANKED) | (addedMs === null ? 0 : DATED)
  page[at + 1] = player.length
  page.writeUInt16LE(text.length, at + 2)
  page.writeUInt32LE(revision, at + 4)
  if (addedMs !== null) page.writeUIntLE(addedMs, at + HEADER, DATE)
  writeText(page, playerAt(page, at), player)
  writeText(page, playerAt(page, at) + player.length, text)
}

function writeText(page: Buffer, at: number, text: string): void {
  for (let next = 0; next < text.length; next++) {
    const code = text.charCodeAt(next)
    if (code > 0x7f) throw new RangeError('what is ranked must be ASCII')
    page[at + next] = code
  }
}

function isText(page: Buffer, at: number, text: string): boolean {
  for (let next = 0; next < text.length; next++) if (page[at + next] !== text.charCodeAt(next)) return false
  return true
}
