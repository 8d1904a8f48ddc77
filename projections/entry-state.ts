// The state of an entry on a board: the content of its document.

import type { Rules } from '../domain/board-rules.ts'
import { type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { ScoreContent, ScoreSubmittedData } from '../domain/score.ts'
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
  /** Id, time and revision of the submission that the entry shows; if it shows none, of the one it began with. */
  readonly id: string
  readonly time: string
  readonly revision: number
  /** Null while all of the player's submissions on a unique board are outside the bounds. */
  readonly shown: ScoreContent | null
  /** The entry's sort key in the ranking; null while it shows nothing. */
  readonly sortKey: string | null
}

/** The state of an entry that shows a submission; `isInside`: whether it is inside the score bounds of the rules. */
export function entryStateOf(
  event: StoredEvent,
  firstSubmission: FirstSubmission | null,
  rules: Rules,
  isInside: boolean,
): EntryState {
  const sent = unsafeCast<ScoreSubmittedData>(event.data)
  const { id, score, secondary } = sent
  const { position } = event
  const { player = '', time } = event.meta
  const shown = isInside ? sent : null
  const sortKey = isInside ? sortKeyOf({ score, secondary, position, time }, firstSubmission?.id ?? id, rules) : null
  return { player, firstSubmission, id, time, revision: event.revision, shown, sortKey }
}
