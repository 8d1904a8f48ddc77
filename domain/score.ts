// The submissions of one player to one board: the stream, its events, and a recorded submission.

import type { Decimal } from './decimal.ts'
import { type RecordedAt, recordedAt, type StoredEvent, unsafeCast } from './event.ts'
import { streamName } from './streams.ts'

export const scoreStream = (board: string, player: string): string => streamName('lb_', `${board}-${player}`)

/** The player in the name of a board's stream. */
export const playerOf = (stream: string, board: string): string => stream.slice(scoreStream(board, '').length)

export interface Submission {
  readonly id: string
  readonly score: Decimal
  readonly secondary: Decimal | null
}

export interface ScoreSubmittedData extends Submission {
  /** Canonical JSON text, or null. */
  readonly extra: string | null
  /** The name sent with the score; null: the player's present name is shown. Encrypted in the log. */
  readonly playerName: string | null
}

export type ScoreEvent =
  | { readonly type: 'ScoreSubmitted'; readonly data: ScoreSubmittedData }
  /** Deletes one submission; with `upTo`, as on a unique board, all up to and including that revision. */
  | { readonly type: 'ScoreDeleted'; readonly data: { readonly id: string; readonly upTo: number | null } }

/** A submission with its revision and time. */
export interface RecordedSubmission extends Submission, RecordedAt {}

export function recordedSubmission(data: Submission, at: RecordedAt): RecordedSubmission {
  return {
    id: data.id,
    score: data.score,
    secondary: data.secondary,
    revision: at.revision,
    time: at.time,
  }
}

/** The submission in an event, with the event. */
export function recordedSubmissionOf(event: StoredEvent): RecordedSubmission & { readonly event: StoredEvent } {
  return { ...recordedSubmission(unsafeCast<ScoreSubmittedData>(event.data), recordedAt(event)), event }
}
