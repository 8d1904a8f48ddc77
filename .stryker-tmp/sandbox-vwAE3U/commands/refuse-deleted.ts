// Commands of a game that was deleted: 404, whatever their stream. The deletion itself can still be answered again.

import { noSuchGame } from '../domain/game.ts'
import { gameOf } from '../domain/slots.ts'
import { isNamed } from '../domain/streams.ts'
import type { Handler } from './handle.ts'

export function refuseDeleted(inner: Handler, isDeleted: (game: string | null) => boolean): Handler {
  return {
    handle: (aggregate, about, context, decision) => {
      if (isDeleted(gameOf(about.stream, about.game)) && !isNamed(about.stream, 'game-'))
        return Promise.reject(noSuchGame())
      return inner.handle(aggregate, about, context, decision)
    },
  }
}
