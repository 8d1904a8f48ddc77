// Changes of a frozen window that are in no order yet, and are looked at one by one: a few.

import type { Point } from './points.ts'

/** An entry that is not frozen. It lies before the frozen place `at`, and after the one before that. */
export interface Fresh extends Point {
  readonly at: number
  readonly member: string
  stands: boolean
  /** It stood no more when putting in order began, and is left out there. */
  isLeft: boolean
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

export class Loose {
  added: Fresh[] = []
  /** Of those in order, or being put in order, what was taken away since. */
  gone: Fresh[] = []
  taken: Taken[] = []

  get length(): number {
    return this.added.length + this.gone.length + this.taken.length
  }

  /** What they add to how many of a window come before a place. */
  before(at: number, member: string, since: number, until: number): number {
    const { added, gone, taken } = this
    let count = 0
    for (const fresh of added) {
      if (fresh.at > at || fresh.time < since || fresh.time >= until) continue
      if (fresh.at < at || fresh.member < member) count++
    }
    for (const fresh of gone) {
      if (fresh.at > at || fresh.time < since || fresh.time >= until) continue
      if (fresh.at < at || fresh.member < member) count--
    }
    for (const point of taken) if (point.at < at && point.time >= since && point.time < until) count--
    return count
  }
}
