// Where in a board's history a submission lies, by its id: twelve bytes a submission, so that an id that is none is
// known as such without going through the history again. Of an id it keeps a hash, and in which page of the history it
// lies.

import { hashOfText } from '../../board-fold/rows.ts'
import { SlotTable } from '../../board-fold/slot-table.ts'
import type { Position, StoredEvent } from '../../domain/event.ts'
import type { TimeSlices } from '../../scheduling/time-slices.ts'
import type { History } from '../../stores/contract/history.ts'
import { eventsOf } from './reading.ts'

const BYTES_EMPTY = 1_024
const BYTES_A_PAGE = 64

export class Submissions {
  readonly board: string
  readonly #pages = new SlotTable()
  /** After which position each page begins, and how many events it has. */
  readonly #begins: { readonly after: Position | null; readonly length: number }[] = []
  #upTo: Position | null = null
  #reading: Promise<unknown> = Promise.resolve()

  constructor(board: string) {
    this.board = board
  }

  get bytes(): number {
    return BYTES_EMPTY + this.#pages.bytes + this.#begins.length * BYTES_A_PAGE
  }

  /** One after another: each reads on from where the one before came. O(history), then O(what is new). */
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

  /** The submission of an id, as far as it was read on; or null. */
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
