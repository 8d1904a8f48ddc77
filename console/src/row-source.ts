// Rows of a long list, read in pages when they come into view. Holds a bounded number of pages.

interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly count: number
}

export const PAGE_ROWS = 100
const PAGES_MAX = 40
const READS_MAX = 2

export class RowSource<Row> {
  /** Number of rows; null before the first page is read. */
  count: number | null = null
  /** Why the last read failed. */
  error: unknown = null
  readonly #read: (offset: number) => Promise<RowPage<Row>>
  readonly #onChange: () => void
  readonly #pages = new Map<number, readonly Row[]>()
  readonly #reading = new Set<number>()
  #wanted: readonly number[] = [0]
  #isOver = false

  /** `read`: a page of `PAGE_ROWS` rows at an offset. `onChange`: called after each page and failure. */
  constructor(read: (offset: number) => Promise<RowPage<Row>>, onChange: () => void) {
    this.#read = read
    this.#onChange = onChange
  }

  /** The row at an index; undefined if it is not read. */
  at(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS]
  }

  /** The first row that was read and satisfies a condition; undefined if none does. */
  find(isWanted: (row: Row) => boolean): Row | undefined {
    for (const rows of this.#pages.values()) {
      const found = rows.find(isWanted)
      if (found !== undefined) return found
    }
  }

  /** Reads the pages of these rows that are missing. */
  show(first: number, last: number): void {
    const pages: number[] = []
    for (let page = Math.floor(first / PAGE_ROWS); page <= Math.floor(last / PAGE_ROWS); page++) pages.push(page)
    this.#wanted = pages
    this.#fill()
  }

  /** Reads the visible pages again. Resolves when they are read. */
  async refresh(): Promise<void> {
    // A first page that could not be read is no longer wanted.
    if (this.#wanted.length === 0) this.#wanted = [0]
    await Promise.all(this.#wanted.map((page) => this.#load(page)))
  }

  /** No read has an effect any more. */
  end(): void {
    this.#isOver = true
  }

  #fill(): void {
    if (this.#isOver) return
    for (const page of this.#wanted) {
      if (this.#reading.size >= READS_MAX) return
      if (!this.#pages.has(page) && !this.#reading.has(page)) void this.#load(page).then(() => this.#fill())
    }
  }

  async #load(page: number): Promise<void> {
    if (this.#reading.has(page)) return
    this.#reading.add(page)
    try {
      const { rows, count } = await this.#read(page * PAGE_ROWS)
      if (this.#isOver) return
      this.#pages.delete(page)
      this.#pages.set(page, rows)
      this.count = count
      this.error = null
      this.#forget()
    } catch (error) {
      if (this.#isOver) return
      this.error = error
      // Otherwise `#fill` would read it again at once.
      if (!this.#pages.has(page)) this.#wanted = this.#wanted.filter((one) => one !== page)
    } finally {
      this.#reading.delete(page)
    }
    this.#onChange()
  }

  /** Forgets the pages that were read longest ago and are not visible. */
  #forget(): void {
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= PAGES_MAX) return
      if (!this.#wanted.includes(page)) this.#pages.delete(page)
    }
  }
}
