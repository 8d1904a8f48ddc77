// The zone map of the embedded log: the earliest and the latest time of the events in each block, by which a reader of a range
// of times skips blocks. The history view has `stores/support/game-blocks.ts` (decision 0070).

import type { IndexedEvent } from './indexed-event.ts'

/** Consecutive events of the log in a block. Block n has the sequence numbers from n · 1,024 + 1 on. */
export const BLOCK_EVENTS = 1_024

export interface TimeBlock {
  readonly block: number
  earliest: string
  latest: string
}

/** The blocks of consecutive events in log order; the first and the last may have more events than these. */
export function timeBlocks(events: readonly IndexedEvent[]): TimeBlock[] {
  const blocks: TimeBlock[] = []
  for (const { sequence, time } of events) {
    const block = Math.floor((sequence - 1) / BLOCK_EVENTS)
    const last = blocks.at(-1)
    if (last?.block !== block) blocks.push({ block, earliest: time, latest: time })
    else if (time < last.earliest) last.earliest = time
    else if (time > last.latest) last.latest = time
  }
  return blocks
}
