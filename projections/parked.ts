// The streams of a view whose events could not be applied: each is skipped from one position on.

import type { Position, StoredEvent } from '../domain/event.ts'
import type { Document, Views } from '../stores/contract/views.ts'
import { PARKED } from './projection.ts'

/** Stream -> position. */
export type Parked = ReadonlyMap<string, Position>

/** After every position. */
const END: Position = '\uffff'
const PAGE = 1_000

/** Whether an event is skipped. Those before the one that parked its stream may not be written yet: they count. */
export function isParked(parked: Parked, { stream, position }: Pick<StoredEvent, 'stream' | 'position'>): boolean {
  return parked.size > 0 && position >= (parked.get(stream) ?? END)
}

export async function parkedStreams(views: Pick<Views, 'scan'>, view: string): Promise<Map<string, Position>> {
  const streams = new Map<string, Position>()
  for (let after: string | null = null; ; ) {
    const documents: Document[] = await views.scan(view, PARKED, after, PAGE)
    for (const { id, body } of documents) streams.set(id, String(body.position))
    if (documents.length < PAGE) return streams
    after = documents.at(-1)?.id ?? null
  }
}
