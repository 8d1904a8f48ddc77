// All that was recorded, in log order, page by page, up to what was there at the beginning. What is left of deleted games is no
// whole stream, and not in it: the stream of deleted games names them.

import type { Position, StoredEvent } from '../domain/event.ts'
import { LEFT_OF_DELETED } from '../domain/game.ts'
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts'
import type { Log } from '../stores/contract/log.ts'

const PAGE = 1_000

/**
 * After a position (null: from the beginning), up to and with `head`; null: nothing. Each
 * page is read when it is asked for.
 */
export async function* wholeLog(
  log: Pick<Log, 'readAll' | 'readStream'>,
  after: Position | null,
  head: Position | null,
): AsyncGenerator<readonly StoredEvent[]> {
  for (let at = after; head !== null && (at === null || at < head); ) {
    const read = await log.readAll(at, PAGE)
    const events: StoredEvent[] = []
    for (const event of read) if (event.position <= head && !(await isLeft(log, event))) events.push(event)
    if (events.length > 0) yield events
    const last = read.at(-1)
    if (last === undefined) return
    at = last.position
    // Promises alone never let the event loop turn.
    await yieldToEventLoop()
  }
}

/** Whether what the game had before it is passed over already. */
async function isLeft(log: Pick<Log, 'readStream'>, { type, stream }: StoredEvent): Promise<boolean> {
  if (!LEFT_OF_DELETED.has(type)) return false
  const [first] = await log.readStream(stream, 0, 1)
  return first === undefined || first.revision > 0
}
