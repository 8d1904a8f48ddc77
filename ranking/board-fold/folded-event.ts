// An event in the form that a fold takes, and the entry that shows a submission.

import type { Rules } from '../../domain/board-rules.ts'
import { type EventMeta, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { hasDetails, type ScoreSubmittedData, type ScoreValues } from '../../domain/score.ts'
import { encodeSortKey } from '../sort-key.ts'
import type { EntryRow, FirstSubmission } from './row.ts'

/**
 * A submission or a deletion from the log or a history. Metadata may be unparsed JSON: it is parsed only where needed.
 */
export type FoldedEvent = Pick<StoredEvent, 'type' | 'data' | 'stream' | 'revision' | 'position'> & {
  readonly meta: EventMeta | string
}

/** The last event of a player whose entry can be computed only from their stream. */
export type LastEvent = Pick<FoldedEvent, 'type' | 'stream' | 'revision'>

/** Unix milliseconds. */
export const timeMsOf = ({ meta }: FoldedEvent): number =>
  Date.parse(typeof meta === 'string' ? unsafeCast<EventMeta>(JSON.parse(meta)).time : meta.time)

export interface EntrySource {
  readonly player: string
  /** What the entry shows; null: nothing. */
  readonly values: ScoreValues | null
  /** The id and time that the entry began with; null if it began with this submission. */
  readonly firstSubmission: FirstSubmission | null
}

/** The entry that shows the details of a submission; `keepsShownId`: with that submission's id. */
export function entryBy(rules: Rules, event: FoldedEvent, from: EntrySource, keepsShownId: boolean): EntryRow {
  const { player, values, firstSubmission } = from
  const sent = unsafeCast<ScoreSubmittedData>(event.data)
  const { id: sentId } = sent
  const timeMs = timeMsOf(event)
  const id = firstSubmission?.id ?? sentId
  const firstMs = firstSubmission?.addedMs ?? timeMs
  return {
    player,
    sortKey:
      values === null
        ? null
        : encodeSortKey(
            { score: values.score, secondary: values.secondary, position: event.position, timeMs, id },
            rules,
          ),
    revision: event.revision,
    bare: !hasDetails(sent),
    addedMs: values !== null && firstMs === timeMs ? null : firstMs,
    id,
    shownId: keepsShownId && sentId !== id ? sentId : null,
  }
}
