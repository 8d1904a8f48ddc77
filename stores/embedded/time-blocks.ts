// The zone map of the embedded log: the earliest and the latest time of the events in each block, by which a reader of
// a range of times skips blocks. The history view has `stores/support/game-blocks.ts` (decision 0070).

import type { IndexedEvent } from './log-schema.ts'

/** Consecutive events of the log in a block. Block n has the sequence numbers from n · 1,024 + 1 on. */
export const BLOCK_EVENTS = 1_024

/** The events of a block that were added. */
export interface TimeBlock {
  readonly block: number
  /** Sequence number of the first event added; the others follow without gaps. */
  readonly first: number
  last: number
  earliest: string
  latest: string
}

/** Adds the next event in log order to its block. */
export function addTime(blocks: TimeBlock[], { sequence, time }: IndexedEvent): void {
  const block = Math.floor((sequence - 1) / BLOCK_EVENTS)
  const last = blocks.at(-1)
  if (last?.block !== block) {
    blocks.push({ block, first: sequence, last: sequence, earliest: time, latest: time })
    return
  }
  last.last = sequence
  if (time < last.earliest) last.earliest = time
  else if (time > last.latest) last.latest = time
}

/** The blocks of consecutive events in log order; the first and the last may have more events than these. */
export function timeBlocks(events: readonly IndexedEvent[]): TimeBlock[] {
  const blocks: TimeBlock[] = []
  for (const event of events) addTime(blocks, event)
  return blocks
}
