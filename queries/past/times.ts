// The entries of a past board by when they were set, for the orders `newest` and `oldest`: made when first asked for,
// in slices. Of one time they stand in rank order, in both.

import type { BoardFold } from '../../board-fold/board-fold.ts'
import type { Rows } from '../../board-fold/rows.ts'
import { asChunks, numberAt } from '../../ranking/chunks.ts'
import { orderTimes } from '../../ranking/times.ts'
import type { TimeSlices } from '../../scheduling/time-slices.ts'

const RUN = 512

export class Times {
  readonly #rows: Rows
  /** From the oldest on. */
  readonly #slots: Uint32Array

  constructor(rows: Rows, slots: Uint32Array) {
    this.#rows = rows
    this.#slots = slots
  }

  /** Nothing may come to the board meanwhile, or what is made is not of it. O(n). */
  static async of({ rows, ranked }: BoardFold, slices: TimeSlices): Promise<Times> {
    const { size } = ranked
    const inRank = new Uint32Array(size)
    const times = new Float64Array(size)
    for (let offset = 0; offset < size; offset += RUN) {
      for (const [at, slot] of ranked.range(offset, Math.min(RUN, size - offset)).entries()) {
        inRank[offset + at] = slot
        times[offset + at] = rows.timeMs(slot)
      }
      if (slices.due) await slices.yield()
    }
    const { places } = await slices.result(orderTimes(asChunks(times)))
    const slots = new Uint32Array(size)
    for (let at = 0; at < size; at++) {
      slots[at] = inRank[numberAt(places, at)] as number
      if (at % RUN === 0 && slices.due) await slices.yield()
    }
    return new Times(rows, slots)
  }

  get bytes(): number {
    return this.#slots.byteLength
  }

  /** Slots. O(log n + limit), and log n for each time among them. */
  range(order: 'newest' | 'oldest', skip: number, limit: number): number[] {
    const slots = this.#slots
    if (order === 'oldest') return [...slots.subarray(skip, skip + limit)]
    const found: number[] = []
    while (found.length < limit && skip + found.length < slots.length) {
      const place = skip + found.length
      // Of the latest time first, then the one before: what stands at this place from the end belongs to one time.
      const timeMs = this.#rows.timeMs(slots[slots.length - 1 - place] as number)
      const begin = this.#before(timeMs)
      const end = this.#before(timeMs + 1)
      const from = begin + place - (slots.length - end)
      found.push(...slots.subarray(from, Math.min(end, from + limit - found.length)))
    }
    return found
  }

  #before(timeMs: number): number {
    let low = 0
    let high = this.#slots.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#rows.timeMs(this.#slots[middle] as number) < timeMs) low = middle + 1
      else high = middle
    }
    return low
  }
}
