// The history of a game or board, by a scan of the whole log; for small logs.

import type { Position, StoredEvent } from '../../domain/event.ts'
import type { History, HistoryFilter } from '../../stores/contract/history.ts'
import type { Log } from '../../stores/contract/log.ts'

/** For a history without an index of times. */
export const skipsNothing: History['skip'] = async (_game, { after }) => after

/** For a history whose instants nobody asks for. */
export const nothingBy: History['lastBy'] = async () => null

/** For a history without an index of times: reads all events of the game. */
export const lastByScan =
  (part: History['part']): History['lastBy'] =>
  async (game, { after, upTo }, instant) => {
    const events = await part({ game }, after, Number.MAX_SAFE_INTEGER)
    return events.findLast(({ position, meta }) => position <= upTo && meta.time <= instant)?.position ?? null
  }

export function historyOf(log: Log): History {
  async function part(filter: HistoryFilter, after: Position | null, limit: number): Promise<StoredEvent[]> {
    const events = await log.readAll(after, Number.MAX_SAFE_INTEGER)
    const isOfIt = ({ meta }: StoredEvent) => {
      return 'game' in filter ? meta.game === filter.game : meta.board === filter.board
    }
    return events.filter(isOfIt).slice(0, limit)
  }
  return {
    part,
    nth: async (filter, after, count) => (await part(filter, after, count))[count - 1] ?? null,
    skip: skipsNothing,
    lastBy: lastByScan(part),
  }
}
