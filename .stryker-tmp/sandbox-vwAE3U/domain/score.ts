// What one player submits to one board: the stream, its events, and a submission as it is judged.

import type { Decimal } from './decimal.ts'
import { type Moment, momentOf, type StoredEvent, unsafeCast } from './event.ts'
import { streamName } from './streams.ts'

export const scoreStream = (board: string, player: string): string => streamName('lb_', `${board}-${player}`)

/** Whose stream on the board it is. */
export const playerOf = (stream: string, board: string): string => stream.slice(scoreStream(board, '').length)

export interface Submission {
  readonly id: string
  readonly score: Decimal
  readonly secondary: Decimal | null
}

export interface ScoreSubmittedData extends Submission {
  /** Canonical JSON text, or null. */
  readonly extra: string | null
  /** The name given with the score, or null: then the player's present name is shown. Encrypted in the log. */
  readonly playerName: string | null
}

export type ScoreEvent =
  | { readonly type: 'ScoreSubmitted'; readonly data: ScoreSubmittedData }
  /** One submission, or where it was made on a unique board all up to and including a revision. */
  | { readonly type: 'ScoreDeleted'; readonly data: { readonly id: string; readonly upTo: number | null } }

/** A submission and where it stands in its stream. */
export interface Placed extends Submission, Moment {}

export function place(data: Submission, moment: Moment): Placed {
  return {
    id: data.id,
    score: data.score,
    secondary: data.secondary,
    revision: moment.revision,
    time: moment.time,
  }
}

/** A recorded submission as it is judged, with its event. */
export function placedOf(event: StoredEvent): Placed & { readonly event: StoredEvent } {
  return { ...place(unsafeCast<ScoreSubmittedData>(event.data), momentOf(event)), event }
}
