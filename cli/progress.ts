// How far long work has come: a bar with rate and time left where a person is watching, a line for every tenth otherwise.

import { shortened, type Terminal } from './terminal.ts'

export interface ProgressBar {
  /** So many more are done; fewer, where some must be done again. Default 1. */
  add(more?: number): void
  /** Something to show beside the bar until the next step; once, as a line, without one. */
  note(text: string): void
  /** Leaves one closing line: how many, how fast. */
  end(): void
}

const DRAWN_EVERY_MS = 100
const BAR_CELLS = 20

/** `amount` says so many of what is counted, by default as a number. */
export function progressBar(
  terminal: Terminal,
  label: string,
  total: number,
  now = Date.now,
  amount: (value: number) => string = whole,
): ProgressBar {
  const began = now()
  let done = 0
  let noted = ''
  let drawnAt = Number.NEGATIVE_INFINITY
  let tenths = 0

  const perSecond = () => done / Math.max(0.001, (now() - began) / 1_000)
  const line = () => {
    const share = total === 0 ? 1 : done / total
    const cells = Math.floor(share * BAR_CELLS)
    const bar = '#'.repeat(cells) + '.'.repeat(BAR_CELLS - cells)
    const rate = `${amount(perSecond())}/s`
    const left = done === 0 ? '' : `, ${duration((total - done) / perSecond())} left`
    return `${label}  [${bar}] ${String(Math.floor(share * 100)).padStart(3)} %  ${rate}${left}${noted}`
  }
  const draw = () => {
    if (terminal.redraw === null || now() - drawnAt < DRAWN_EVERY_MS) return
    drawnAt = now()
    terminal.redraw(shortened(line(), terminal.columns - 1))
  }
  const tell = () => {
    const reached = Math.floor((done * 10) / Math.max(1, total))
    if (terminal.redraw !== null || reached <= tenths || done === total) return
    tenths = reached
    const left = duration((total - done) / perSecond())
    terminal.err(`${label}: ${amount(done)} of ${amount(total)}, ${amount(perSecond())}/s, ${left} left`)
  }
  return {
    add: (more = 1) => {
      done += more
      noted = ''
      draw()
      tell()
    },
    note: (text) => {
      if (terminal.redraw === null && noted === '') terminal.err(`${label}: ${text}`)
      noted = `  ${text}`
      draw()
    },
    end: () => {
      terminal.redraw?.('')
      terminal.err(`${label}: ${amount(done)} in ${duration((now() - began) / 1_000)}, ${amount(perSecond())}/s`)
    },
  }
}

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
