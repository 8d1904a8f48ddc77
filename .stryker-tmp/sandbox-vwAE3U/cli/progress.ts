// How far long work has come: a bar with rate and time left where a person is watching, a
// line every ten seconds otherwise.

import { shortened, type Terminal } from './terminal.ts'

export interface ProgressBar {
  /** So many more are done; fewer, where some must be done again. Default 1. */
  add(more?: number): void
  /**
   * So many are done by now, and this share of all (0 to 1; null: not known); `beside` is shown until the next step.
   */
  reached(done: number, share: number | null, beside?: string): void
  /** Something to show beside the bar until the next step; once, as a line, without one. */
  note(text: string): void
  /** Leaves one closing line: how many, how fast. */
  end(): void
  /** Leaves nothing. */
  drop(): void
}

export interface Measure {
  /** Says a value of what is counted; by default as a number. */
  readonly amount?: (value: number) => string
  /** Stands behind what was counted, as ` events`. */
  readonly unit?: string
  /** Milliseconds since whenever; for tests. */
  readonly now?: () => number
}

/** What is counted where a log is gone through. */
export const EVENTS: Measure = { unit: ' events' }

const DRAWN_EVERY_MS = 100
const KEPT_LINE_EVERY_MS = 10_000
const BAR_CELLS = 20

/** `total`: how many there are in all; null where that is not known, and only `reached` gives a share. */
export function progressBar(
  { redraw, err, columns }: Terminal,
  label: string,
  total: number | null,
  { amount = whole, unit = '', now = () => performance.now() }: Measure = {},
): ProgressBar {
  const work = new Work(label, total, { amount, unit, now })
  let shownMs = redraw === null ? now() : Number.NEGATIVE_INFINITY
  let isNoted = false

  const show = () => {
    if (now() - shownMs < (redraw === null ? KEPT_LINE_EVERY_MS : DRAWN_EVERY_MS)) return
    shownMs = now()
    if (redraw === null) err(work.line())
    else redraw(shortened(work.bar(), columns - 1))
  }
  const stepped = (text = '') => {
    work.beside = text === '' ? '' : `  ${text}`
    isNoted = false
    show()
  }
  return {
    add(more = 1) {
      work.add(more)
      stepped()
    },
    reached(reached, share, text) {
      work.done = reached
      work.share = share === null ? null : Math.min(1, Math.max(0, share))
      stepped(text)
    },
    note(text) {
      if (redraw === null && !isNoted) err(`${label}: ${text}`)
      isNoted = true
      work.beside = `  ${text}`
      show()
    },
    end() {
      redraw?.('')
      err(work.lastLine())
    },
    drop: () => redraw?.(''),
  }
}

/** What is done, and the texts that show it. */
class Work {
  done = 0
  /** 0 to 1; null: not known. */
  share: number | null
  /** Shown beside the bar. */
  beside = ''
  readonly #label: string
  readonly #total: number | null
  readonly #measure: Required<Measure>
  readonly #begunMs: number

  constructor(label: string, total: number | null, measure: Required<Measure>) {
    this.#label = label
    this.#total = total
    this.#measure = measure
    this.#begunMs = measure.now()
    this.share = total === null ? null : 0
  }

  add(more: number): void {
    this.done += more
    if (this.#total !== null) this.share = this.#total === 0 ? 1 : Math.min(1, this.done / this.#total)
  }

  /** For a terminal that is drawn over. */
  bar(): string {
    const count = this.#total === null ? `${this.#count()}, ` : ''
    if (this.share === null) return `${this.#label}  ${count}${this.#pace()}${this.beside}`
    const cells = Math.floor(this.share * BAR_CELLS)
    const bar = '#'.repeat(cells) + '.'.repeat(BAR_CELLS - cells)
    return `${this.#label}  [${bar}] ${percent(this.share).padStart(5)}  ${count}${this.#pace()}${this.beside}`
  }

  /** For an output whose lines stay. */
  line(): string {
    const { amount, unit } = this.#measure
    const all = this.#total === null ? '' : ` of ${amount(this.#total)}`
    const share = this.share === null ? '' : `${percent(this.share)}, `
    return `${this.#label}: ${amount(this.done)}${all}${unit}, ${share}${this.#pace()}${this.beside}`
  }

  lastLine(): string {
    const seconds = (this.#measure.now() - this.#begunMs) / 1_000
    return `${this.#label}: ${this.#count()} in ${duration(seconds)}, ${this.#rate()}`
  }

  #count(): string {
    return `${this.#measure.amount(this.done)}${this.#measure.unit}`
  }

  #seconds(): number {
    return Math.max(0.001, (this.#measure.now() - this.#begunMs) / 1_000)
  }

  #rate(): string {
    return `${this.#measure.amount(this.done / this.#seconds())}/s`
  }

  #pace(): string {
    if (this.share === null || this.share <= 0) return this.#rate()
    return `${this.#rate()}, ${duration((this.#seconds() * (1 - this.share)) / this.share)} left`
  }
}

const percent = (share: number): string => `${Math.floor(share * 100)} %`

/** `1,234` */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** `0.4 s`, `12 s`, `3 min 20 s` */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const rounded = Math.round(seconds)
  return rounded < 60 ? `${rounded} s` : `${Math.floor(rounded / 60)} min ${rounded % 60} s`
}
