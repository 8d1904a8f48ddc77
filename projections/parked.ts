// The parked (quarantined) streams of a view: each is skipped from the event on that could not be applied.

import type { Position, StoredEvent } from '../domain/event.ts'
import type { Document, Views } from '../stores/contract/views.ts'
import { PARKED } from './projection.ts'

/** Stream -> position. */
export type Parked = ReadonlyMap<string, Position>

/** Greater than every position. */
const END: Position = '\uffff'
const PAGE = 1_000

/**
 * Whether an event is skipped. Events of the stream before the one that parked it still count: they may not be written
 * yet.
 */
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
