// The view of history: every event, indexed by its game and board, for log stores that have no such index. Its
// documents hold the events with personal text decrypted; the text of a deleted player is cleared, including events
// that are applied after the deletion.

import { type JsonObject, type StoredEvent, unsafeCast } from '../domain/event.ts'
import { ownerOf, PERSONAL_FIELDS, personalTexts } from '../domain/personal.ts'
import type { DocRef, Projection } from './projection.ts'

const refOf = ({ position }: StoredEvent): DocRef => ['events', position]

/** Marks a player as deleted. */
const goneRef = (event: StoredEvent): DocRef => ['gone', ownerOf(event) ?? '']

export const history: Projection = {
  name: 'history',
  version: 3,
  collections: [
    {
      name: 'events',
      indexes: { board: ['board', 'position'], game: ['game', 'position'], personal: ['personal', 'position'] },
    },
    { name: 'gone', indexes: {} },
  ],
  takes: 'every event',
  needs: (event) => {
    const isPersonal = event.type === 'PlayerDeleted' || personalTexts(event).length > 0
    return isPersonal ? [refOf(event), goneRef(event)] : [refOf(event)]
  },

  query({ type, meta }) {
    if (type !== 'PlayerDeleted') return []
    return [{ collection: 'events', index: 'personal', equal: [meta.player ?? ''] }]
  },

  handle(event, docs) {
    if (event.type === 'PlayerDeleted') docs.put(...goneRef(event), {})
    const { game, board = null } = event.meta
    const isLate = personalTexts(event).length > 0 && docs.get(...goneRef(event)) !== null
    docs.put(...refOf(event), {
      game,
      board,
      // By type, not by content: the content reads differently once the player's key is gone.
      personal: event.type in PERSONAL_FIELDS ? ownerOf(event) : null,
      position: event.position,
      event: asKept(isLate ? cleared(event) : event),
    })
  },

  updateEach(_, docs, id) {
    const kept = docs.get('events', id)
    if (kept !== null) docs.put('events', id, { ...kept, event: asKept(cleared(unsafeCast(kept.event))) })
  },
}

const asKept = (event: StoredEvent): JsonObject => unsafeCast<JsonObject>(event)

function cleared(event: StoredEvent): StoredEvent {
  const nothing = Object.fromEntries(personalTexts(event).map((field) => [field, null]))
  return { ...event, data: { ...event.data, ...nothing } }
}
