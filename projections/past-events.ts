// A board's history read for a fold: of each event what a fold asks, where its store has a way to give just that.

import type { EventMeta, JsonObject, StoredEvent } from '../domain/event.ts'
import type { BriefEvent, History, HistoryPart } from '../stores/contract/history.ts'

/** An event as it was read. Of a brief one the metadata is not parsed yet, and personal text may be sealed. */
export type PastEvent = BriefEvent | StoredEvent

export const readPast = (history: History): HistoryPart<PastEvent> => history.brief ?? history.part

export function timeOf({ meta }: PastEvent): string {
  return typeof meta === 'string' ? (JSON.parse(meta) as EventMeta).time : meta.time
}

/** Whether what it says can be read only in the event as the log gives it. */
export function mayBeSealed({ meta, data }: PastEvent, personal: readonly string[]): boolean {
  return typeof meta === 'string' && hasText(data, personal)
}

const hasText = (data: JsonObject, fields: readonly string[]): boolean =>
  fields.some((field) => typeof data[field] === 'string')
