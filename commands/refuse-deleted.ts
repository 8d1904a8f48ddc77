// Refuses commands of a deleted game with 404. Commands on the game's own stream pass, so that the deletion can be
// repeated.

import { noSuchGame } from '../domain/game.ts'
import { gameOf } from '../domain/slots.ts'
import { isNamed } from '../domain/streams.ts'
import type { Handler, Handlers } from './handle.ts'

export function refuseDeleted(inner: Handlers, isDeleted: (game: string | null) => boolean): Handlers {
  const refusing = (handler: Handler): Handler['handle'] => {
    return (aggregate, about, context, decision) => {
      if (isDeleted(gameOf(about.stream, about.game)) && !isNamed(about.stream, 'game-'))
        return Promise.reject(noSuchGame())
      return handler.handle(aggregate, about, context, decision)
    }
  }
  return {
    handle: refusing(inner),
    together: () => {
      const group = inner.together()
      return { handle: refusing(group), send: () => group.send() }
    },
  }
}
