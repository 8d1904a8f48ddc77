// The view of history: every event, found by its game or board, for logs that have no such index of their own. Its
// documents hold what the events hold.

import { type JsonObject, type StoredEvent, shaped } from '../domain/event.ts'
import type { DocRef, Projection } from './projection.ts'

const refOf = ({ position }: StoredEvent): DocRef => ['events', position]

export const history: Projection = {
  name: 'history',
  version: 1,
  collections: [{ name: 'events', indexes: { board: ['board', 'position'], game: ['game', 'position'] } }],
  takes: 'every event',
  unread: ['events'],
  needs: (event) => [refOf(event)],
  handle(event, docs) {
    const { game, board = null } = event.meta
    docs.put(...refOf(event), { game, board, position: event.position, event: shaped<JsonObject>(event) })
  },
}
