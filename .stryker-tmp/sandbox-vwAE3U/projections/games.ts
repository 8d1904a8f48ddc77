// The view of games, in order of creation.

import { type Game, type GameEvent, game } from '../domain/game.ts'
import { aggregateView } from './aggregate-view.ts'

export const games = aggregateView<Game, GameEvent>({
  name: 'games',
  version: 1,
  aggregate: game,
  takes: ['GameCreated', 'GameRenamed', 'GameConfigured', 'FixedRoomsSet', 'GameDeleted'],
  fields: ({ created }) => ({ created }),
  indexes: { all: ['created'] },
})
