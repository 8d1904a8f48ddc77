// Commits accepted records: all at once, first to the data file if there is one. Only then are they answered and
// visible to readers.

import type { DataFile } from './data-file.ts'
import type { Journal } from './journal.ts'
import type { LogRecord } from './record.ts'

export class Writer {
  readonly #journal: Journal
  readonly #file: DataFile | null
  /** Milliseconds that one flush to disk takes. */
  flushMs: number
  #answers: (() => void)[] = []
  #scheduled = false
  #closed = false
  /** Called after each commit with the committed records. */
  onCommit: (records: readonly LogRecord[]) => void = () => {}

  constructor(journal: Journal, file: DataFile | null, flushMs: number) {
    this.#journal = journal
    this.#file = file
    this.flushMs = flushMs
  }

  /** Calls back when everything in the log so far is committed. */
  afterCommit(answer: () => void): void {
    this.#answers.push(answer)
    if (this.#scheduled) return
    this.#scheduled = true
    if (this.flushMs === 0) setImmediate(() => this.commit())
    else setTimeout(() => this.commit(), this.flushMs)
  }

  /** The last commit: from now on the log belongs to another run. */
  close(): void {
    this.commit()
    this.#file?.close()
    this.#closed = true
  }

  commit(): void {
    if (this.#closed) return
    this.#scheduled = false
    const journal = this.#journal
    this.#file?.append(journal.taken)
    journal.taken = []
    const before = journal.committed
    journal.committed = journal.records.length
    const answers = this.#answers
    this.#answers = []
    for (const answer of answers) answer()
    if (journal.committed > before) this.onCommit(journal.records.slice(before))
  }
}
