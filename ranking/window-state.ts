// A frozen window and what has changed since: entries added and taken away, as points that count one more or one less.
// The last few are looked at one by one; all before them are in order. They are put in order a step with each change,
// so that no change pauses the others for long.

import { bytesOf, type FrozenWindow } from './frozen-window.ts'
import { type Fresh, Loose, type Place, type Taken } from './loose.ts'
import { idOfMember, timeOfMember } from './member.ts'
import { Points, whileFirst } from './points.ts'
import { atOnce } from './times.ts'

/** Changes looked at one by one: those waiting, and as many again that are being put in order. */
const LOOSE_MAX = 128
/** Of putting in order, with each change: enough for all of it before as many wait again. */
const STEPS = 5

/** All changes up to a moment, in order. */
interface Settled {
  readonly added: Points<Fresh>
  readonly taken: Points<Taken>
}
/** What an entry not frozen takes at most, with its place among the changes: an estimate, for the limit on memory. */
const CHANGE_BYTES = 320

export class WindowState {
  readonly frozen: FrozenWindow
  /** Ids of entries that changed -> what they are now; null: not there. */
  readonly #changed = new Map<string, Fresh | null>()
  #settled: Settled = { added: Points.none<Fresh>(), taken: Points.none<Taken>() }
  #loose = new Loose()
  #settling: { readonly loose: Loose; readonly work: Generator<void, Settled> } | null = null

  constructor(frozen: FrozenWindow) {
    this.frozen = frozen
    for (const [at, time] of frozen.doubles) this.#loose.taken.push({ at, time, place: 0 })
    if (this.#loose.length > LOOSE_MAX) atOnce(this.settle())
  }

  get bytes(): number {
    return bytesOf(this.frozen) + this.#settled.added.bytes + this.#settled.taken.bytes + this.changes * CHANGE_BYTES
  }

  get changes(): number {
    return this.#changed.size + this.frozen.doubles.size
  }

  /** The entry's member is this one from now on; null: it is not there. */
  set(id: string, member: string | null): void {
    const changed = this.#changed.get(id)
    const at = changed === undefined ? this.frozen.members.placeOf(id) : -1
    if (changed === undefined && at < 0 && member === null) return
    if ((changed?.member ?? (at < 0 ? null : this.frozen.members.text(at))) === member) return
    if (changed) this.#drop(changed)
    else if (at >= 0) this.#loose.taken.push({ at, time: timeOfMember(this.frozen.members.text(at)), place: 0 })
    const fresh = member === null ? null : this.#fresh(member)
    if (fresh !== null) this.#loose.added.push(fresh)
    this.#changed.set(id, fresh)
    for (let step = 0; step < STEPS && this.#settling !== null; step++) this.#step()
    if (this.#loose.length <= LOOSE_MAX) return
    while (this.#settling !== null) this.#step()
    this.#begin()
  }

  #fresh(member: string): Fresh {
    return { at: this.frozen.members.before(member), member, time: timeOfMember(member), ...UNPLACED }
  }

  #drop(fresh: Fresh): void {
    fresh.stands = false
    const { added, gone } = this.#loose
    const at = added.indexOf(fresh)
    if (at < 0) gone.push(fresh)
    else added.splice(at, 1)
  }

  /**
   * All changes there were when this began, in order: what is added, and which frozen ones are left out. Maybe some of
   * those that came meanwhile. O(changes), in slices.
   */
  *settle(): Generator<void, { readonly added: readonly Fresh[]; readonly taken: readonly Taken[] }> {
    while (this.#settling !== null) {
      this.#step()
      yield
    }
    this.#begin()
    for (const begun = this.#settling; this.#settling === begun; ) {
      this.#step()
      yield
    }
    return { added: this.#settled.added.all, taken: this.#settled.taken.all }
  }

  #begin(): void {
    const loose = this.#loose
    this.#loose = new Loose()
    for (const fresh of loose.gone) fresh.isLeft = true
    this.#settling = { loose, work: inOrder(this.#settled, loose) }
  }

  #step(): void {
    const next = this.#settling?.work.next()
    if (!next?.done) return
    this.#settled = next.value
    this.#settling = null
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
    let count = places.count(times.placeOf(since), times.placeOf(until), at)
    const { added, taken } = this.#settled
    if (added.all.length > 0) count += added.count(since, until, added.whileFirst(isBefore))
    if (taken.all.length > 0) {
      const first = taken.whileFirst((point) => point.at < at)
      count -= taken.count(since, until, first)
    }
    count += this.#loose.before(at, member, since, until)
    return this.#settling === null ? count : count + this.#settling.loose.before(at, member, since, until)
  }

  /** How many entries the window has. */
  size(since: number, until: number): number {
    return this.before({ at: this.frozen.members.length + 1, member: '' }, since, until)
  }

  /** Members of the window, in rank order, from the one with so many before it on. O(log² n), and O(log n) each. */
  range(offset: number, limit: number, since: number, until: number): string[] {
    const members: string[] = []
    if (offset >= this.size(since, until)) return members
    const loose = [...this.#loose.added, ...(this.#settling?.loose.added ?? [])]
      .filter(({ time, stands }) => stands && time >= since && time < until)
      .sort(inRankOrder)
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
    for (const fresh of [this.#settled.added.all, loose]) {
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
    const { added } = this.#settled
    const from = added.whileFirst((fresh) => inRankOrder(fresh, first) < 0)
    for (let next = added.next(since, until, from); next >= 0; next = added.next(since, until, next + 1)) {
      const fresh = added.all[next] as Fresh
      if (fresh.stands) yield fresh
    }
  }
}

const UNPLACED = { place: 0, stands: true, isLeft: false }

function* inOrder({ added, taken }: Settled, loose: Loose): Generator<void, Settled> {
  const isAddedToo = loose.added.length + loose.gone.length > 0
  return {
    added: isAddedToo ? yield* added.with(loose.added, inRankOrder, ({ isLeft }) => !isLeft) : added,
    taken: loose.taken.length > 0 ? yield* taken.with(loose.taken, byPlace, () => true) : taken,
  }
}

const byPlace = (a: Taken, b: Taken): number => a.at - b.at

const isBelow = (one: Place, other: Place): boolean => one.member < other.member

function inRankOrder(a: Place, b: Place): number {
  return a.at === b.at ? (a.member < b.member ? -1 : a.member > b.member ? 1 : 0) : a.at - b.at
}
