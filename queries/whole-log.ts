// The whole log page by page, up to the head it has at the start. It leaves out the remaining events of deleted
// games, which do not form complete streams; the stream of deleted games lists these games.

import type { Position, StoredEvent } from '../domain/event.ts'
import { LEFT_OF_DELETED } from '../domain/game.ts'
import { yieldToEventLoop } from '../runtime/yield-to-event-loop.ts'
import type { Log } from '../stores/contract/log.ts'

const PAGE = 1_000

/**
 * Events after a position (null: from the beginning) up to and including `head`; none if `head` is null. Each page is
 * read when the caller asks for it.
 */
export async function* wholeLog(
  log: Pick<Log, 'readAll' | 'readStream'>,
  after: Position | null,
  head: Position | null,
): AsyncGenerator<readonly StoredEvent[]> {
  for (let at = after; head !== null && (at === null || at < head); ) {
    const read = await log.readAll(at, PAGE)
    const events: StoredEvent[] = []
    for (const event of read) if (event.position <= head && !(await isRemainder(log, event))) events.push(event)
    if (events.length > 0) yield events
    const last = read.at(-1)
    if (last === undefined) return
    at = last.position
    // Awaiting resolved promises does not yield to the event loop.
    await yieldToEventLoop()
  }
}

/** Whether an event is the remainder of a stream whose beginning was removed. */
async function isRemainder(log: Pick<Log, 'readStream'>, { type, stream }: StoredEvent): Promise<boolean> {
  if (!LEFT_OF_DELETED.has(type)) return false
  const [first] = await log.readStream(stream, 0, 1)
  return first === undefined || first.revision > 0
}
