// The view of browser origins: which games allow one, for answering preflights, which name no game. A document for each
// game and origin, so that none of them is two games' and none needs another one to be as it was.

import { hash } from 'node:crypto'
import { type StoredEvent, shaped } from '../domain/event.ts'
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
    if (!allowed(event).some(([kept]) => kept === id)) docs.remove('origins', id)
  },
}

/**
 * Id of the document -> the origin that the game allows from now on. The id of a removed document stays in the store: it holds no
 * text of the game's.
 */
function allowed({ meta, data }: StoredEvent): (readonly [id: string, origin: string])[] {
  return shaped<readonly string[]>(data.corsOrigins).map((origin) => [
    `${meta.game}/${hash('sha256', origin, 'base64url')}`,
    origin,
  ])
}
