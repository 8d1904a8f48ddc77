// Submissions to boards in fixed order, with a history and a log that record what is read.

import type { JsonObject, StoredEvent } from '../../domain/event.ts'
import type { FoldDeps } from '../../projections/folded-history.ts'
import type { Log } from '../../stores/contract/log.ts'
import { nothingBy, skipsNothing } from '../memory/history.ts'

/** The position of the n-th event. */
export const positionAt = (n: number): string => String(n).padStart(16, '0')

/** The n-th event of the log: a submission of a player, who has one for each `players` before it. */
export function submission(n: number, board = 'b1', players = 5, more: JsonObject = {}): StoredEvent {
  const [player, revision] = [`p${n % players}`, Math.floor(n / players)]
  const data = { id: `s${n}`, score: String(100 + n), secondary: null, extra: null, playerName: null, ...more }
  const time = new Date(n).toISOString()
  const meta = { v: 1, game: 'g1', board, player, command: 'c', actor: null, request: null, time }
  const stream = `lb_${board}-${player}`
  return { id: `e${n}`, type: 'ScoreSubmitted', data, meta, stream, revision, position: positionAt(n) }
}

export interface Reads {
  /** Boards and positions of the history that were read, in order. */
  readonly pages: string[]
  /** Streams and revisions that were read. */
  readonly events: string[]
}

/** A history and a log of these events. */
export function storesOf(events: readonly StoredEvent[]): FoldDeps & { readonly reads: Reads } {
  const reads: Reads = { pages: [], events: [] }
  const readStream: Log['readStream'] = async (stream, from, limit) => {
    reads.events.push(`${stream} ${from}`)
    return events.filter((event) => event.stream === stream && event.revision >= from).slice(0, limit)
  }
  const part: FoldDeps['history']['part'] = async (filter, after, limit) => {
    const board = 'board' in filter ? filter.board : ''
    reads.pages.push(`${board} ${after}`)
    return events.filter(({ meta, position }) => meta.board === board && position > (after ?? '')).slice(0, limit)
  }
  return { log: { readStream }, history: { part, nth: async () => null, skip: skipsNothing, lastBy: nothingBy }, reads }
}
