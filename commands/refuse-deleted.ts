// Refuses commands of a deleted game with 404. Commands on the game's own stream pass, so that the deletion can be
// repeated.

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
