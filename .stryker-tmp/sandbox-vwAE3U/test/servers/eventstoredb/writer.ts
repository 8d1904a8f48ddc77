// Commits what was taken into the log: everything taken meanwhile at once, into the data file first where there is one.
// Only then is it answered and seen by readers.

import type { DataFile } from './data-file.ts'
import type { Journal } from './journal.ts'
import type { LogRecord } from './record.ts'

export class Writer {
  readonly #journal: Journal
  readonly #file: DataFile | null
  readonly #flushMs: number
  #answers: (() => void)[] = []
  #scheduled = false
  #closed = false
  /** Called after each commit, with what was committed. */
  onCommit: (records: readonly LogRecord[]) => void = () => {}

  constructor(journal: Journal, file: DataFile | null, flushMs: number) {
    this.#journal = journal
    this.#file = file
    this.#flushMs = flushMs
  }

  /** Calls back when all that was added to the log by now is committed. */
  afterCommit(answer: () => void): void {
    this.#answers.push(answer)
    if (this.#scheduled) return
    this.#scheduled = true
    if (this.#flushMs === 0) setImmediate(() => this.commit())
    else setTimeout(() => this.commit(), this.#flushMs)
  }

  /** The last commit: the log belongs to another run from now on. */
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
