// The entries of a past board by when they were set, for the orders `newest` and `oldest`: made when first asked for, in
// slices. Of one time they stand in rank order, in both.

import { timeTextOf } from '../../ranking/member-fields.ts'
import { SortedBlocks } from '../../ranking/sorted-blocks.ts'
import type { BoardFold } from './fold.ts'
import { placeOf } from './records.ts'
import type { Slices } from './slices.ts'

const RUN = 250
const TIME_LENGTH = 8
/** After every line of one time, before those of the next. */
const LAST = '\x7f'

export class Times {
  readonly #lines = new SortedBlocks()

  static async of(fold: BoardFold, slices: Slices): Promise<Times> {
    const times = new Times()
    for (let offset = 0; offset < fold.ranked.size; offset += RUN) {
      for (const line of fold.ranked.range(offset, RUN)) times.#lines.add(timeTextOf(placeOf(line).member) + line)
      if (slices.due) await slices.turn()
    }
    return times
  }

  /** Lines of the ranking. O(log n + limit), and log n for each time among them. */
  range(order: 'newest' | 'oldest', skip: number, limit: number): string[] {
    if (order === 'oldest') return this.#read(skip, limit)
    const { size } = this.#lines
    const found: string[] = []
    while (found.length < limit && skip + found.length < size) {
      const place = skip + found.length
      // Of the latest time first, then the one before: what stands at this place from the end belongs to one time.
      const [line = ''] = this.#lines.range(size - 1 - place, 1)
      const time = line.slice(0, TIME_LENGTH)
      const begin = this.#lines.before(time)
      const end = this.#lines.before(time + LAST)
      const within = place - (size - end)
      found.push(...this.#read(begin + within, Math.min(limit - found.length, end - begin - within)))
    }
    return found
  }

  #read(offset: number, limit: number): string[] {
    return this.#lines.range(offset, limit).map((line) => line.slice(TIME_LENGTH))
  }
}
