// The view of browser origins: which games allow one, for answering preflights, which name no game.

import { type StoredEvent, shaped } from '../domain/event.ts'
import type { Peek, Projection } from './projection.ts'

const listOf = (value: unknown): readonly string[] => shaped<readonly string[]>(value ?? [])

export const origins: Projection = {
  name: 'origins',
  version: 1,
  collections: [
    { name: 'origins', indexes: {} },
    { name: 'games', indexes: {} },
  ],
  takes: ['GameConfigured'],

  needs(event, peek) {
    const game = event.meta.game ?? ''
    return [['games', game], ...touched(event, peek).map((origin) => ['origins', origin] as const)]
  },

  handle(event, docs) {
    const game = event.meta.game ?? ''
    const after = listOf(event.data.corsOrigins)
    const peek: Peek = (collection, id) => docs.get(collection, id)
    for (const origin of touched(event, peek)) {
      const others = listOf(docs.get('origins', origin)?.games).filter((one) => one !== game)
      const games = after.includes(origin) ? [...others, game].sort() : others
      if (games.length === 0) docs.remove('origins', origin)
      else docs.put('origins', origin, { games })
    }
    docs.put('games', game, { origins: after })
  },
}

/** The origins that the game allowed before, and those it allows from now on. */
function touched(event: StoredEvent, peek: Peek): string[] {
  const before = listOf(peek('games', event.meta.game ?? '')?.origins)
  return [...new Set([...before, ...listOf(event.data.corsOrigins)])]
}
