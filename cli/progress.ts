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

/** `total`: how many there are in all; null where that is not known, and only `reached` tells of a share. */
export function progressBar(
  { redraw, err, columns }: Terminal,
  label: string,
  total: number | null,
  { amount = whole, unit = '', now = () => performance.now() }: Measure = {},
): ProgressBar {
  const begunMs = now()
  let toldMs = redraw === null ? begunMs : Number.NEGATIVE_INFINITY
  let done = 0
  let share: number | null = total === null ? null : 0
  let beside = ''
  let isNoted = false

  const seconds = () => Math.max(0.001, (now() - begunMs) / 1_000)
  const rate = () => `${amount(done / seconds())}/s`
  const pace = () => {
    if (share === null || share <= 0) return rate()
    return `${rate()}, ${duration((seconds() * (1 - share)) / share)} left`
  }
  const drawn = () => {
    const count = total === null ? `${amount(done)}${unit}, ` : ''
    if (share === null) return `${label}  ${count}${pace()}${beside}`
    const cells = Math.floor(share * BAR_CELLS)
    const bar = '#'.repeat(cells) + '.'.repeat(BAR_CELLS - cells)
    return `${label}  [${bar}] ${percent(share).padStart(5)}  ${count}${pace()}${beside}`
  }
  const kept = () => {
    const all = total === null ? '' : ` of ${amount(total)}`
    return `${label}: ${amount(done)}${all}${unit}, ${share === null ? '' : `${percent(share)}, `}${pace()}${beside}`
  }
  const show = () => {
    if (now() - toldMs < (redraw === null ? KEPT_LINE_EVERY_MS : DRAWN_EVERY_MS)) return
    toldMs = now()
    if (redraw === null) err(kept())
    else redraw(shortened(drawn(), columns - 1))
  }
  const stepped = (text = '') => {
    beside = text === '' ? '' : `  ${text}`
    isNoted = false
    show()
  }
  return {
    add(more = 1) {
      done += more
      if (total !== null) share = total === 0 ? 1 : Math.min(1, done / total)
      stepped()
    },
    reached(reached, of, text) {
      done = reached
      share = of === null ? null : Math.min(1, Math.max(0, of))
      stepped(text)
    },
    note(text) {
      if (redraw === null && !isNoted) err(`${label}: ${text}`)
      isNoted = true
      beside = `  ${text}`
      show()
    },
    end() {
      redraw?.('')
      err(`${label}: ${amount(done)}${unit} in ${duration((now() - begunMs) / 1_000)}, ${rate()}`)
    },
    drop: () => redraw?.(''),
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
