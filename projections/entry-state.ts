// The state of an entry on a board: the content of its document.

import type { Rules } from '../domain/board-rules.ts'
import { type StoredEvent, unsafeCast } from '../domain/event.ts'
import { contentOf, type ScoreContent, type ScoreSubmittedData, type ScoreValues } from '../domain/score.ts'
import { sortKeyOf } from '../ranking/sort-key.ts'

/** The submission that an entry began with: it gives the entry its id and the time it was added. */
export interface FirstSubmission {
  readonly id: string
  readonly added: string
}

export interface EntryState {
  readonly player: string
  /** Null if it is the shown submission itself. */
  readonly firstSubmission: FirstSubmission | null
  /**
   * Id, time and revision of the submission whose details the entry shows; if it shows none, of the one it began with.
   */
  readonly id: string
  readonly time: string
  readonly revision: number
  /** Null while none of the player's submissions on a unique board counts. */
  readonly shown: ScoreContent | null
  /** The entry's sort key in the ranking; null while it shows nothing. */
  readonly sortKey: string | null
}

/** The state of an entry that shows these values with the details of a submission; null: it shows nothing. */
export function entryStateOf(
  event: StoredEvent,
  values: ScoreValues | null,
  firstSubmission: FirstSubmission | null,
  rules: Rules,
): EntryState {
  const sent = unsafeCast<ScoreSubmittedData>(event.data)
  const { id } = sent
  const { position } = event
  const { player = '', time } = event.meta
  const shown = values === null || values === sent ? values && sent : contentOf(values, sent)
  const sortKey =
    values === null
      ? null
      : sortKeyOf(
          { score: values.score, secondary: values.secondary, position, time },
          firstSubmission?.id ?? id,
          rules,
        )
  return { player, firstSubmission, id, time, revision: event.revision, shown, sortKey }
}
