// The view of players: per game in order of creation, by the end of their ban, and by deletion time.

import { type Player, type PlayerEvent, player } from '../domain/player.ts'
import { aggregateView } from './aggregate-view.ts'

export const players = aggregateView<Player, PlayerEvent>({
  name: 'players',
  version: 3,
  aggregate: player,
  takes: [
    'PlayerCreated',
    'PlayerNamed',
    'PlayerLinked',
    'PlayerEmailConfirmed',
    'PlayerBanned',
    'PlayerUnbanned',
    'PlayerDeleted',
    'PlayerSignedOut',
  ],
  fields: ({ created, banned, deleted }, _id, game, time) => ({
    listed: deleted ? null : game,
    created,
    bannedUntil: banned?.until ?? null,
    // The last event of a deleted player is the deletion.
    deletedAt: deleted ? time : null,
  }),
  indexes: { game: ['listed', 'created'], due: ['bannedUntil'], deleted: ['deletedAt'] },
  types: { listed: 'term', created: 'time', bannedUntil: 'time', deletedAt: 'time' },
})
