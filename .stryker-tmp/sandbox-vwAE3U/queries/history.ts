// The history of a game or board, read from the history view (projections/history.ts) if the log store has no such
// index.

import { type Position, type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { History, HistoryFilter } from '../stores/contract/history.ts'
import type { Views } from '../stores/contract/views.ts'

/** `view` is the view's key, `name@version`. */
export function historyInViews(views: Views, view: string): History {
  async function read(filter: HistoryFilter, after: Position | null, skip: number, limit: number) {
    const [index, value] = 'game' in filter ? ['game', filter.game] : ['board', filter.board]
    const bound = after === null ? {} : { after }
    const documents = await views.find({ view, collection: 'events', index, equal: [value], ...bound, skip, limit })
    return documents.map(({ body }) => unsafeCast<StoredEvent>(body.event))
  }
  return {
    async part(filter, after, limit) {
      if (limit < 1) throw new RangeError(`A limit must be at least 1, not ${limit}`)
      return read(filter, after, 0, limit)
    },
    async nth(filter, after, count) {
      if (count < 1) throw new RangeError(`A count must be at least 1, not ${count}`)
      return (await read(filter, after, count - 1, 1))[0] ?? null
    },
  }
}
