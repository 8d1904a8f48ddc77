// An event as a fold takes it, and the entry that shows a submission.

import type { Rules } from '../domain/board-rules.ts'
import { type EventMeta, type StoredEvent, shaped } from '../domain/event.ts'
import type { ScoreSubmittedData } from '../domain/score.ts'
import { encodeMember } from '../ranking/member.ts'
import type { Begun, Own } from './row.ts'

/** A submission or a deletion, as the log or a history gives it: metadata that is still JSON is parsed only where it is needed. */
export type FoldedEvent = Pick<StoredEvent, 'type' | 'data' | 'stream' | 'revision' | 'position'> & {
  readonly meta: EventMeta | string
}

/** The last event of a player whose entry only their stream can tell. */
export type LastEvent = Pick<FoldedEvent, 'type' | 'stream' | 'revision'>

/** Unix milliseconds. */
export const timeMsOf = ({ meta }: FoldedEvent): number =>
  Date.parse(typeof meta === 'string' ? shaped<EventMeta>(JSON.parse(meta)).time : meta.time)

export interface EntrySource {
  readonly player: string
  /** Whether the submission is inside the bounds. */
  readonly isInside: boolean
  /** The entry, or the submission, that it began with; null where that is this submission. */
  readonly begun: Begun | null
}

/** The entry that shows a submission; `keepsShownId`: with that submission's id. */
export function entryBy(rules: Rules, event: FoldedEvent, from: EntrySource, keepsShownId: boolean): Own {
  const { player, isInside, begun } = from
  const { id: sentId, score, secondary, extra, playerName } = shaped<ScoreSubmittedData>(event.data)
  const timeMs = timeMsOf(event)
  const id = begun?.id ?? sentId
  const begunMs = begun?.addedMs ?? timeMs
  return {
    player,
    member: isInside ? encodeMember({ score, secondary, timeMs, id }, rules) : null,
    revision: event.revision,
    bare: extra === null && playerName === null,
    addedMs: isInside && begunMs === timeMs ? null : begunMs,
    id,
    shownId: keepsShownId && sentId !== id ? sentId : null,
  }
}
