// Progress of what has no number known beforehand: a bar by the share that is done, how fast it goes, and how long it will
// take; where lines are kept, one every ten seconds.

import { duration, whole } from './progress.ts'
import { shortened, type Terminal } from './terminal.ts'

export interface ShareBar {
  /** So many are done by now, and this share of all (0 to 1; null: not known). */
  reached(done: number, share: number | null): void
  /** Leaves one closing line: how many, how fast. */
  end(): void
  /** Leaves nothing. */
  drop(): void
}

const DRAWN_EVERY_MS = 100
const KEPT_LINE_EVERY_MS = 10_000
const BAR_CELLS = 20

export function shareBar(terminal: Terminal, label: string, now: () => number = () => performance.now()): ShareBar {
  const { redraw, err, columns } = terminal
  const begunMs = now()
  const everyMs = redraw === null ? KEPT_LINE_EVERY_MS : DRAWN_EVERY_MS
  let toldMs = begunMs
  let reached = 0
  const seconds = () => Math.max(0.001, (now() - begunMs) / 1_000)
  const rate = () => `${whole(reached)} events, ${whole(reached / seconds())}/s`
  const line = (share: number | null) => {
    if (share === null || share <= 0) return `${label}  ${rate()}`
    const cells = Math.floor(share * BAR_CELLS)
    const bar = '#'.repeat(cells) + '.'.repeat(BAR_CELLS - cells)
    const left = duration((seconds() * (1 - share)) / share)
    return `${label}  [${bar}] ${String(Math.floor(share * 100)).padStart(3)} %  ${rate()}, ${left} left`
  }
  return {
    reached(done, share) {
      reached = done
      if (now() - toldMs < everyMs) return
      toldMs = now()
      const text = line(share === null ? null : Math.min(1, share))
      if (redraw === null) err(text)
      else redraw(shortened(text, columns - 1))
    },
    end() {
      redraw?.('')
      err(`${label}: ${whole(reached)} events in ${duration(seconds())}, ${whole(reached / seconds())}/s`)
    },
    drop: () => redraw?.(''),
  }
}
