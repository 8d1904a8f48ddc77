// Blocks of a game's history in the history view, with the times of their events: a zone map, by which a reader of a range of
// times skips blocks. It is exact whatever the clocks did, because each block is judged by itself.

import type { Position } from '../../domain/event.ts'
import type { TimeRange } from '../contract/history.ts'

/** Of a position: 2^20 bytes of EventStoreDB’s log, one to three thousand events. */
const BLOCK_DIGITS = 11
/** Of a time: up to its minute. With more digits, almost every event would change the document of its block. */
const MINUTE_DIGITS = 16

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
export const minuteOf = (time: string): string => time.slice(0, MINUTE_DIGITS)

/** Whether a block may have events in a range of times. */
export const mayHave = ({ earliest, latest }: TimesOfBlock, { since, until }: TimeRange): boolean =>
  (since === null || latest >= minuteOf(since)) && (until === null || earliest <= minuteOf(until))
