// Reads events of this installation: a stream, the whole log, or one position. Skips foreign records, which never end
// a page early.

import type { Position, StoredEvent } from '../../domain/event.ts'
import type { Head } from './head.ts'
import { parsePosition, requirePosition } from './position.ts'
import type { Reading } from './reading.ts'
import { logPage, streamPage } from './requests.ts'

const LARGEST_PAGE = 4_096
/** The gRPC codes "unknown" and "invalid argument", with which servers reject a position at which no record begins. */
const REFUSALS: readonly unknown[] = [2, 3]

export interface Events {
  stream(stream: string, from: number, limit: number): Promise<StoredEvent[]>
  all(after: Position | null, limit: number): Promise<StoredEvent[]>
  at(position: Position): Promise<StoredEvent | null>
}

export function createEvents(reading: Reading, head: Head): Events {
  async function stream(stream: string, from: number, limit: number): Promise<StoredEvent[]> {
    const events: StoredEvent[] = []
    let next = from
    let havePositions = true
    for (;;) {
      const size = limit - events.length
      const count = await reading.page(streamPage(stream, next, size), `stream ${stream}`, ({ position, event }) => {
        havePositions &&= position !== null
        if (event !== null) events.push(event)
        return havePositions
      })
      if (!havePositions)
        throw new Error('EventStoreDB gives no positions with the events of a stream; it needs to be newer')
      if (events.length === limit || (count ?? 0) < size) return events
      // Skip the revisions of foreign events between ours.
      next += size
    }
  }

  async function all(after: Position | null, limit: number): Promise<StoredEvent[]> {
    if (after !== null) requirePosition(after)
    const events: StoredEvent[] = []
    let from = head.skipTo(after)
    let size = limit + 1
    for (;;) {
      const began = from
      const count: number | null = await reading.page(logPage(from, 'forwards', size), 'the log', (arrived) => {
        const { position, event } = arrived
        // The server includes the record at the position itself.
        if (position === null || position === began) return true
        from = position
        if (event !== null) events.push(event)
        return events.length < limit
      })
      if (events.length >= limit || (count ?? 0) < size || from === began) return events
      size = Math.min(size * 2, LARGEST_PAGE)
    }
  }

  async function at(position: Position): Promise<StoredEvent | null> {
    if (parsePosition(position) === null) return null
    let found: StoredEvent | null = null
    try {
      await reading.page(logPage(position, 'forwards', 1), 'one place of the log', (arrived) => {
        if (arrived.position === position) found = arrived.event
        return false
      })
    } catch (error) {
      // Servers reject a position inside a record with a generic error. If the log can be read, that was the cause.
      if (!REFUSALS.includes((error as { cause?: { code?: unknown } }).cause?.code ?? null)) throw error
      await reading.page(logPage(null, 'backwards', 1), 'end of the log', () => false)
    }
    return found
  }

  return { stream, all, at }
}
