// The submissions of one player to one board: the stream, its events, and what a score contains. The content of a score
// is one value, `ScoreContent`: the values that ranking reads, and the details that are only shown. Code outside this
// file passes it on as a whole; a new field is added here (CONTRIBUTING.md, "A field of a Score").

import type { Decimal } from './decimal.ts'
import type { RecordedAt } from './event.ts'
import { streamName } from './streams.ts'

export const scoreStream = (board: string, player: string): string => streamName('lb_', `${board}-${player}`)

/** The player in the name of a board's stream. */
export const playerOf = (stream: string, board: string): string => stream.slice(scoreStream(board, '').length)

/** What ranking reads of a score. */
export interface ScoreValues {
  readonly score: Decimal
  readonly secondary: Decimal | null
}

/** What is shown with a score and never changes its rank. Null: nothing. */
export interface ScoreDetails {
  /** Canonical JSON text. */
  readonly extra: string | null
  /** The name sent with the score; null: the player's present name is shown. Encrypted in the log. */
  readonly playerName: string | null
}

/** All that is submitted with a score. */
export interface ScoreContent extends ScoreValues, ScoreDetails {}

export const NO_DETAILS: ScoreDetails = { extra: null, playerName: null }

/** The details in an event's data, without the rest of it. */
export const detailsOf = ({ extra, playerName }: ScoreDetails): ScoreDetails => ({ extra, playerName })

export const hasDetails = ({ extra, playerName }: ScoreDetails): boolean => extra !== null || playerName !== null

/** The number of characters in the details. */
export const detailsLength = ({ extra, playerName }: ScoreDetails): number =>
  (extra?.length ?? 0) + (playerName?.length ?? 0)

/** The content of an event's data (given twice), or of values that a sort key has and the details of its event. */
export const contentOf = ({ score, secondary }: ScoreValues, { extra, playerName }: ScoreDetails): ScoreContent => ({
  score,
  secondary,
  extra,
  playerName,
})

/** The fields of the content in the document of an entry; null: the entry shows no submission. */
export const entryFields = (content: ScoreContent | null) => ({
  score: content?.score ?? null,
  secondary: content?.secondary ?? null,
  extra: content?.extra ?? null,
  ownName: content?.playerName ?? null,
})

export interface Submission extends ScoreValues {
  readonly id: string
}

/** The stored form: the content's fields beside the id. */
export interface ScoreSubmittedData extends Submission, ScoreContent {}

export const submissionOf = (id: string, content: ScoreContent): ScoreSubmittedData => ({
  id,
  score: content.score,
  secondary: content.secondary,
  extra: content.extra,
  playerName: content.playerName,
})

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
