// The view of leaderboards: per game in the order of their making; archived ones are in no list.

import { type Leaderboard, type LeaderboardEvent, leaderboard } from '../domain/leaderboard.ts'
import { aggregateView } from './aggregate-view.ts'

export const leaderboards = aggregateView<Leaderboard, LeaderboardEvent>({
  name: 'leaderboards',
  version: 1,
  aggregate: leaderboard,
  takes: ['LeaderboardCreated', 'LeaderboardDescribed', 'LeaderboardArchived'],
  prefix: 'board-',
  fields: ({ created, archived }, _, game) => ({ created, generation: 1, listedIn: archived ? null : game }),
  indexes: { game: ['listedIn', 'created'] },
})
