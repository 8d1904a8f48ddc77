// The entries of a past board by the time they were set, for the orders `newest` and `oldest`: built on first use, in
// time slices. Entries of the same time are in rank order, in both orders.

import type { BoardFold } from '../../ranking/board-fold/board-fold.ts'
import type { Rows } from '../../ranking/board-fold/rows.ts'
import { asChunks, numberAt } from '../../ranking/chunks.ts'
import { orderTimes } from '../../ranking/times.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'

const RUN = 512

export class Times {
  readonly #rows: Rows
  /** Slots, oldest first. */
  readonly #slots: Uint32Array

  constructor(rows: Rows, slots: Uint32Array) {
    this.#rows = rows
    this.#slots = slots
  }

  /** The board must not change meanwhile. O(n). */
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
    const { indexes } = await slices.result(orderTimes(asChunks(times)))
    const slots = new Uint32Array(size)
    for (let at = 0; at < size; at++) {
      slots[at] = inRank[numberAt(indexes, at)] as number
      if (at % RUN === 0 && slices.due) await slices.yield()
    }
    return new Times(rows, slots)
  }

  get bytes(): number {
    return this.#slots.byteLength
  }

  /** Returns slots. O(log n + limit), plus log n for each distinct time. */
  range(order: 'newest' | 'oldest', skip: number, limit: number): number[] {
    const slots = this.#slots
    if (order === 'oldest') return [...slots.subarray(skip, skip + limit)]
    const found: number[] = []
    while (found.length < limit && skip + found.length < slots.length) {
      const index = skip + found.length
      // Find the group of equal times that contains this index from the end.
      const timeMs = this.#rows.timeMs(slots[slots.length - 1 - index] as number)
      const begin = this.#before(timeMs)
      const end = this.#before(timeMs + 1)
      const from = begin + index - (slots.length - end)
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
