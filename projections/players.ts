// The view of players: per game in the order of their making.

import { type Player, type PlayerEvent, player } from '../domain/player.ts'
import { aggregateView } from './aggregate-view.ts'

export const players = aggregateView<Player, PlayerEvent>({
  name: 'players',
  version: 2,
  aggregate: player,
  takes: ['PlayerCreated', 'PlayerNamed', 'PlayerLinked', 'PlayerEmailConfirmed'],
  prefix: 'player-',
  fields: ({ created }) => ({ created }),
  indexes: { game: ['game', 'created'] },
})
