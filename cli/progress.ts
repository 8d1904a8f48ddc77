// Progress of long work: a bar with rate and remaining time on a terminal, otherwise a line every ten seconds.

import { shortened, type Terminal } from './terminal.ts'

export interface ProgressBar {
  /** Adds to the count; negative if some must be repeated. Default 1. */
  add(more?: number): void
  /**
   * Sets the count and the share (0 to 1; null: unknown). `beside` is shown until the next step.
   */
  reached(done: number, share: number | null, beside?: string): void
  /** Shows a note next to the bar until the next step; without a bar, prints it as a line. */
  note(text: string): void
  /** Ends with a line of count and rate. */
  end(): void
  drop(): void
}

export interface Measure {
  readonly amount?: (value: number) => string
  /** Text after the count, such as ` events`. */
  readonly unit?: string
  /** Monotonic milliseconds; for tests. */
  readonly now?: () => number
}

export const EVENTS: Measure = { unit: ' events' }

const DRAWN_EVERY_MS = 100
const KEPT_LINE_EVERY_MS = 10_000
const BAR_CELLS = 20

/** `total`: the final count; null if unknown: then only `reached` gives a share. */
export function progressBar(
  { redraw, err, columns }: Terminal,
  label: string,
  total: number | null,
  { amount = formatInteger, unit = '', now = () => performance.now() }: Measure = {},
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

class Work {
  done = 0
  /** 0 to 1; null: unknown. */
  share: number | null
  beside = ''
  readonly #label: string
  readonly #total: number | null
  readonly #measure: Required<Measure>
  readonly #startedMs: number

  constructor(label: string, total: number | null, measure: Required<Measure>) {
    this.#label = label
    this.#total = total
    this.#measure = measure
    this.#startedMs = measure.now()
    this.share = total === null ? null : 0
  }

  add(more: number): void {
    this.done += more
    if (this.#total !== null) this.share = this.#total === 0 ? 1 : Math.min(1, this.done / this.#total)
  }

  /** For a terminal, where a line can be redrawn. */
  bar(): string {
    const count = this.#total === null ? `${this.#count()}, ` : ''
    if (this.share === null) return `${this.#label}  ${count}${this.#pace()}${this.beside}`
    const cells = Math.floor(this.share * BAR_CELLS)
    const bar = '#'.repeat(cells) + '.'.repeat(BAR_CELLS - cells)
    return `${this.#label}  [${bar}] ${percent(this.share).padStart(5)}  ${count}${this.#pace()}${this.beside}`
  }

  /** For a file or pipe. */
  line(): string {
    const { amount, unit } = this.#measure
    const all = this.#total === null ? '' : ` of ${amount(this.#total)}`
    const share = this.share === null ? '' : `${percent(this.share)}, `
    return `${this.#label}: ${amount(this.done)}${all}${unit}, ${share}${this.#pace()}${this.beside}`
  }

  lastLine(): string {
    const seconds = (this.#measure.now() - this.#startedMs) / 1_000
    return `${this.#label}: ${this.#count()} in ${duration(seconds)}, ${this.#rate()}`
  }

  #count(): string {
    return `${this.#measure.amount(this.done)}${this.#measure.unit}`
  }

  #seconds(): number {
    return Math.max(0.001, (this.#measure.now() - this.#startedMs) / 1_000)
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
export function formatInteger(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** `0.4 s`, `12 s`, `3 min 20 s` */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const rounded = Math.round(seconds)
  return rounded < 60 ? `${rounded} s` : `${Math.floor(rounded / 60)} min ${rounded % 60} s`
}
