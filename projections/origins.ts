// The view of browser origins: which games allow an origin. Preflight requests name no game, so they are answered from
// here. There is one document per game and origin, so that games do not share documents and none depends on another.

import { hash } from 'node:crypto'
import { type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { Projection } from './projection.ts'

export const origins: Projection = {
  name: 'origins',
  version: 2,
  collections: [{ name: 'origins', indexes: { origin: ['origin'], game: ['game'] } }],
  takes: ['GameConfigured'],

  needs: (event) => allowed(event).map(([id]) => ['origins', id] as const),

  query: ({ meta }) => [{ collection: 'origins', index: 'game', equal: [meta.game ?? ''] }],

  handle(event, docs) {
    for (const [id, origin] of allowed(event)) docs.put('origins', id, { game: event.meta.game, origin })
  },

  updateEach(event, docs, id) {
    if (!allowed(event).some(([allowedId]) => allowedId === id)) docs.remove('origins', id)
  },
}

/**
 * Document id -> an origin that the game allows from now on. The id of a removed document stays in the store, so it is
 * a hash and contains no text of the game.
 */
function allowed({ meta, data }: StoredEvent): (readonly [id: string, origin: string])[] {
  return unsafeCast<readonly string[]>(data.corsOrigins).map((origin) => [
    `${meta.game}/${hash('sha256', origin, 'base64url')}`,
    origin,
  ])
}
