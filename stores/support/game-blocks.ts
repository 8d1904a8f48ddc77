// The zone map of the history view: the earliest and the latest time of a game's events in each block of the log. The
// view writes it, and readers of a range of times skip blocks by it (decision 0070). The embedded log has
// `stores/embedded/time-blocks.ts`.

import type { Position } from '../../domain/event.ts'
import type { TimeRange } from '../contract/history.ts'

/** Digits of a position that name its block: 2^20 bytes of EventStoreDB's log, one to three thousand events. */
const BLOCK_DIGITS = 11
/** Characters of a time up to its minute. With more, almost every event would change the document of its block. */
const MINUTE_LENGTH = 16

/** The earliest and the latest minute of a game's events in one block. */
export interface TimesOfBlock {
  readonly game: string
  readonly block: string
  readonly earliest: string
  readonly latest: string
}

/** The block of a position. A block sorts before the positions in it, and after those in earlier blocks. */
export const blockOf = (position: Position): string => position.slice(0, BLOCK_DIGITS)

/** Of two times, the later one never has the earlier minute. */
export const minuteOf = (time: string): string => time.slice(0, MINUTE_LENGTH)

export const mayHaveTimesIn = ({ earliest, latest }: TimesOfBlock, { since, until }: TimeRange): boolean =>
  (since === null || latest >= minuteOf(since)) && (until === null || earliest <= minuteOf(until))
