// The view of leaderboards: per game in order of creation; archived ones are not listed.

import { type Leaderboard, type LeaderboardEvent, leaderboard } from '../domain/leaderboard.ts'
import { aggregateView } from './aggregate-view.ts'

export const leaderboards = aggregateView<Leaderboard, LeaderboardEvent>({
  name: 'leaderboards',
  version: 2,
  aggregate: leaderboard,
  takes: [
    'LeaderboardCreated',
    'LeaderboardDescribed',
    'LeaderboardArchived',
    'LeaderboardRulesRequested',
    'LeaderboardHistoryFolded',
    'LeaderboardSliceBuilt',
    'LeaderboardRulesChanged',
    'LeaderboardRulesCancelled',
    'LeaderboardRulesFailed',
    'LeaderboardSliceCleared',
  ],
  fields: ({ created, generation, archived }, _, game) => ({ created, generation, listedIn: archived ? null : game }),
  indexes: { game: ['listedIn', 'created'] },
})
