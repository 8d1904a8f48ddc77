// Refuses commands of a deleted game with 404. Commands on the game's own stream pass, so that the deletion can be
// repeated.

import { noSuchGame } from '../domain/game.ts'
import { gameOf } from '../domain/slots.ts'
import { isNamed } from '../domain/streams.ts'
import type { Handlers } from './handle.ts'
import { refusing } from './refusing.ts'

export const refuseDeleted = (inner: Handlers, isDeleted: (game: string | null) => boolean): Handlers =>
  refusing(inner, ({ stream, game }) =>
    isDeleted(gameOf(stream, game)) && !isNamed(stream, 'game-') ? noSuchGame() : null,
  )
