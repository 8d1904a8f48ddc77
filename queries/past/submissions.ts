// An index of a board's submissions by id: twelve bytes per submission, so that an unknown id needs no scan of the
// history. It keeps a hash of each id and the number of the history page that contains it.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { hashOfText } from '../../ranking/board-fold/rows.ts'
import { SlotTable } from '../../ranking/board-fold/slot-table.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import type { History } from '../../stores/contract/history.ts'
import { eventsOf } from './reading.ts'

const BYTES_EMPTY = 1_024
const BYTES_A_PAGE = 64

export class Submissions {
  readonly board: string
  readonly #pages = new SlotTable()
  /** The position before each page, and its number of events. */
  readonly #begins: { readonly after: Position | null; readonly length: number }[] = []
  #upTo: Position | null = null
  #reading: Promise<unknown> = Promise.resolve()

  constructor(board: string) {
    this.board = board
  }

  get bytes(): number {
    return BYTES_EMPTY + this.#pages.bytes + this.#begins.length * BYTES_A_PAGE
  }

  /** Indexes new events. Calls run one after another. O(history), then O(new events). */
  async readOn(read: History['part'], upTo: Position, slices: TimeSlices): Promise<void> {
    const own = this.#reading.then(async () => {
      for await (const page of eventsOf(read, this.board, { after: this.#upTo, last: upTo }, slices)) {
        const at = this.#begins.push({ after: this.#upTo, length: page.length }) - 1
        for (const { type, data } of page)
          if (type === 'ScoreSubmitted') this.#pages.add(hashOfText(String(data.id)), at)
        this.#upTo = page.at(-1)?.position ?? this.#upTo
      }
    })
    this.#reading = own.catch(() => {})
    await own
  }

  /** The submission with an id, if it is indexed; or null. */
  async find(read: History['part'], id: string): Promise<StoredEvent | null> {
    const pages: number[] = []
    this.#pages.find(hashOfText(id), (page) => {
      pages.push(page)
      return false
    })
    for (const page of pages) {
      const begin = this.#begins[page]
      if (begin === undefined) continue
      const events = await read({ board: this.board }, begin.after, begin.length)
      const found = events.find(({ type, data }) => type === 'ScoreSubmitted' && data.id === id)
      if (found !== undefined) return found
    }
    return null
  }
}
