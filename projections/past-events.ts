// A board's history read for a fold: of each event what a fold asks, where its store has a way to give just that.

import { type EventMeta, type StoredEvent, shaped } from '../domain/event.ts'
import { PERSONAL_FIELDS } from '../domain/personal.ts'
import { type ScoreSubmittedData, scoreStream } from '../domain/score.ts'
import type { BriefEvent, History, HistoryPart } from '../stores/contract/history.ts'
import type { Log } from '../stores/contract/log.ts'

/** An event as it was read. Of a brief one the metadata is not parsed yet, and personal text may be sealed. */
export type PastEvent = BriefEvent | StoredEvent

export const readPast = (history: History): HistoryPart<PastEvent> => history.brief ?? history.part

export function timeOf({ meta }: PastEvent): string {
  return typeof meta === 'string' ? (JSON.parse(meta) as EventMeta).time : meta.time
}

/** Whether what it says can be read only in the event as the log gives it. */
export const mayBeSealed = ({ type, meta, data }: PastEvent): boolean =>
  typeof meta === 'string' && PERSONAL_FIELDS[type]?.some((field) => typeof data[field] === 'string') === true

/** What a submission says, opened. */
export async function openedData(
  log: Pick<Log, 'readStream'>,
  board: string,
  { player, revision }: { readonly player: string; readonly revision: number },
): Promise<ScoreSubmittedData | null> {
  const [event] = await log.readStream(scoreStream(board, player), revision, 1)
  return event === undefined ? null : shaped<ScoreSubmittedData>(event.data)
}
