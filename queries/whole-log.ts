// All that was recorded, in log order, page by page, up to what was there at the beginning.

import type { Position, StoredEvent } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'
import { turn } from '../stores/contract/turn.ts'

const PAGE = 1_000

/**
 * After a position (null: from the beginning), up to and with `head`; null: nothing. Each
 * page is read when it is asked for.
 */
export async function* wholeLog(
  log: Pick<Log, 'readAll'>,
  after: Position | null,
  head: Position | null,
): AsyncGenerator<readonly StoredEvent[]> {
  for (let at = after; head !== null && (at === null || at < head); ) {
    const read = await log.readAll(at, PAGE)
    const events = read.filter(({ position }) => position <= head)
    if (events.length > 0) yield events
    const last = read.at(-1)
    if (last === undefined) return
    at = last.position
    // Promises alone never let the event loop turn.
    await turn()
  }
}
