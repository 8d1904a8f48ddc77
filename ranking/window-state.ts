// A frozen window and what has changed since: entries added and taken away, as points that count one more or one less. The
// last few are looked at one by one; all before them are in order.

import { bytesOf, type FrozenWindow } from './frozen-window.ts'
import { idOfMember, timeOfMember } from './member.ts'
import { type Point, Points, whileFirst } from './points.ts'

/** An entry that is not frozen. It lies before the frozen place `at`, and after the one before that. */
export interface Fresh extends Point {
  readonly at: number
  readonly member: string
  stands: boolean
}

/** An entry that is frozen and stands no more. */
export interface Taken extends Point {
  readonly at: number
}

/** Where a member lies: before all fresh ones of that place which are not below it. */
export interface Place {
  readonly at: number
  readonly member: string
}

/** Changes looked at one by one. */
const LOOSE_MAX = 256
/** What an entry not frozen takes at most, with its place among the changes: an estimate, for the limit on memory. */
const CHANGE_BYTES = 320

export class WindowState {
  readonly frozen: FrozenWindow
  /** Ids of entries that changed -> what they are now; null: not there. */
  readonly #changed = new Map<string, Fresh | null>()
  #added = Points.none<Fresh>()
  #taken = Points.none<Taken>()
  /** Of `#added`, what was taken away since, and what is in neither. */
  readonly #looseAdded: Fresh[] = []
  readonly #looseGone: Fresh[] = []
  readonly #looseTaken: Taken[] = []

  constructor(frozen: FrozenWindow) {
    this.frozen = frozen
    for (const [at, time] of frozen.doubles) this.#looseTaken.push({ at, time, place: 0 })
    if (this.#looseTaken.length > LOOSE_MAX) this.settle()
  }

  get bytes(): number {
    return bytesOf(this.frozen) + this.#added.bytes + this.#taken.bytes + this.changes * CHANGE_BYTES
  }

  get changes(): number {
    return this.#changed.size + this.frozen.doubles.size
  }

  /** All changes in order, after `settle`: what is added, and which frozen ones are left out. */
  get inOrder(): { readonly added: readonly Fresh[]; readonly taken: readonly Taken[] } {
    return { added: this.#added.all, taken: this.#taken.all }
  }

  /** The entry's member is this one from now on; null: it is not there. */
  set(id: string, member: string | null): void {
    const changed = this.#changed.get(id)
    const at = changed === undefined ? this.frozen.members.placeOf(id) : -1
    if (changed === undefined && at < 0 && member === null) return
    if ((changed?.member ?? (at < 0 ? null : this.frozen.members.text(at))) === member) return
    if (changed) this.#drop(changed)
    else if (at >= 0) this.#looseTaken.push({ at, time: timeOfMember(this.frozen.members.text(at)), place: 0 })
    const fresh = member === null ? null : this.#fresh(member)
    if (fresh !== null) this.#looseAdded.push(fresh)
    this.#changed.set(id, fresh)
    if (this.#looseAdded.length + this.#looseGone.length + this.#looseTaken.length > LOOSE_MAX) this.settle()
  }

  #fresh(member: string): Fresh {
    return { at: this.frozen.members.before(member), member, time: timeOfMember(member), place: 0, stands: true }
  }

  #drop(fresh: Fresh): void {
    fresh.stands = false
    const loose = this.#looseAdded.indexOf(fresh)
    if (loose < 0) this.#looseGone.push(fresh)
    else this.#looseAdded.splice(loose, 1)
  }

  /** Puts all changes in order. O(changes). */
  settle(): void {
    if (this.#looseAdded.length + this.#looseGone.length > 0) {
      this.#added = this.#added.with(this.#looseAdded, inRankOrder, ({ stands }) => stands)
    }
    if (this.#looseTaken.length > 0) {
      this.#taken = this.#taken.with(
        this.#looseTaken,
        (a, b) => a.at - b.at,
        () => true,
      )
    }
    for (const loose of [this.#looseAdded, this.#looseGone, this.#looseTaken]) loose.length = 0
  }

  /** The member of an entry, or null. */
  memberOf(id: string): string | null {
    const changed = this.#changed.get(id)
    if (changed !== undefined) return changed?.member ?? null
    const at = this.frozen.members.placeOf(id)
    return at < 0 ? null : this.frozen.members.text(at)
  }

  /** Where a member lies, whether or not it is here. */
  placeOf(member: string): Place {
    const id = idOfMember(member)
    const changed = this.#changed.get(id)
    if (changed?.member === member) return changed
    const at = changed === undefined ? this.frozen.members.placeOf(id) : -1
    const isFrozen = at >= 0 && this.frozen.members.text(at) === member
    return { at: isFrozen ? at : this.frozen.members.before(member), member }
  }

  /** How many entries of the window come before a place. */
  before({ at, member }: Place, since: number, until: number): number {
    const { times, places } = this.frozen
    const isBefore = (point: Place) => point.at < at || (point.at === at && point.member < member)
    const isIn = ({ time }: { readonly time: number }) => time >= since && time < until
    let count = places.count(times.placeOf(since), times.placeOf(until), at)
    if (this.#added.all.length > 0) count += this.#added.count(since, until, this.#added.whileFirst(isBefore))
    if (this.#taken.all.length > 0) {
      const first = this.#taken.whileFirst((taken) => taken.at < at)
      count -= this.#taken.count(since, until, first)
    }
    for (const fresh of this.#looseAdded) if (isIn(fresh) && isBefore(fresh)) count++
    for (const fresh of this.#looseGone) if (isIn(fresh) && isBefore(fresh)) count--
    for (const taken of this.#looseTaken) if (taken.at < at && isIn(taken)) count--
    return count
  }

  /** How many entries the window has. */
  size(since: number, until: number): number {
    return this.before({ at: this.frozen.members.length + 1, member: '' }, since, until)
  }

  /** Members of the window, in rank order, from the one with so many before it on. O(log² n), and O(log n) each. */
  range(offset: number, limit: number, since: number, until: number): string[] {
    const members: string[] = []
    if (offset >= this.size(since, until)) return members
    const loose = this.#looseAdded.filter(({ time }) => time >= since && time < until).sort(inRankOrder)
    const first = this.#lastWithin(offset, loose, since, until)
    const heads = [
      this.#frozenFrom(first, since, until),
      this.#addedFrom(first, since, until),
      loose.filter((one) => inRankOrder(one, first) >= 0).values(),
    ].map((rest: Iterator<Place, undefined>) => ({ rest, next: rest.next().value }))
    while (members.length < limit) {
      let least: { rest: Iterator<Place, undefined>; next: Place } | null = null
      for (const { rest, next } of heads) {
        if (next !== undefined && (least === null || isBelow(next, least.next))) least = { rest, next }
      }
      if (least === null) break
      members.push(least.next.member)
      for (const head of heads) if (head.rest === least.rest) head.next = head.rest.next().value
    }
    return members
  }

  /** The last of all points, standing or not, that has at most so many of the window before it. */
  #lastWithin(most: number, loose: readonly Fresh[], since: number, until: number): Place {
    const isWithin = (place: Place) => this.before(place, since, until) <= most
    const { members } = this.frozen
    let low = 0
    let high = members.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isWithin({ at: middle, member: members.text(middle) })) low = middle + 1
      else high = middle
    }
    let last: Place = low === 0 ? { at: 0, member: '' } : { at: low - 1, member: members.text(low - 1) }
    for (const fresh of [this.#added.all, loose]) {
      const within = fresh[whileFirst(fresh, isWithin) - 1]
      if (within !== undefined && isBelow(last, within)) last = within
    }
    return last
  }

  *#frozenFrom({ at, member }: Place, since: number, until: number): Generator<Place, undefined> {
    const { members, times, places } = this.frozen
    const [from, to] = [times.placeOf(since), times.placeOf(until)]
    for (let next = places.atLeast(from, to, at); next >= 0; next = places.atLeast(from, to, next + 1)) {
      const text = members.text(next)
      if (text >= member && this.#isFrozenStill(next, text)) yield { at: next, member: text }
    }
  }

  #isFrozenStill(place: number, member: string): boolean {
    return !this.#changed.has(idOfMember(member)) && !this.frozen.doubles.has(place)
  }

  *#addedFrom(first: Place, since: number, until: number): Generator<Place, undefined> {
    const from = this.#added.whileFirst((fresh) => inRankOrder(fresh, first) < 0)
    for (let next = this.#added.next(since, until, from); next >= 0; ) {
      const fresh = this.#added.all[next] as Fresh
      if (fresh.stands) yield fresh
      next = this.#added.next(since, until, next + 1)
    }
  }
}

const isBelow = (one: Place, other: Place): boolean => one.member < other.member

function inRankOrder(a: Place, b: Place): number {
  return a.at === b.at ? (a.member < b.member ? -1 : a.member > b.member ? 1 : 0) : a.at - b.at
}
