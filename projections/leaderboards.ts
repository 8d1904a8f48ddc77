// The view of leaderboards: per game in order of creation; archived ones are not listed. It also has the claims on
// their keys, by game and key.

import { type BoardKeyEvent, boardKey, type KeyClaim } from '../domain/board-key.ts'
import type { StoredEvent } from '../domain/event.ts'
import { type Leaderboard, type LeaderboardEvent, leaderboard } from '../domain/leaderboard.ts'
import { SEASON_EVENTS } from '../domain/seasons.ts'
import { isNamed } from '../domain/streams.ts'
import { aggregateView } from './aggregate-view.ts'
import type { Projection } from './projection.ts'

const NAME = 'leaderboards'
const VERSION = 4

const boards = aggregateView<Leaderboard, LeaderboardEvent>({
  name: NAME,
  version: VERSION,
  aggregate: leaderboard,
  takes: [
    'LeaderboardCreated',
    'LeaderboardDescribed',
    'LeaderboardKeyChanged',
    'LeaderboardArchived',
    'LeaderboardRulesRequested',
    'LeaderboardHistoryFolded',
    'LeaderboardSliceBuilt',
    'LeaderboardRulesChanged',
    'LeaderboardRulesCancelled',
    'LeaderboardRulesFailed',
    'LeaderboardSliceCleared',
    ...SEASON_EVENTS,
  ],
  fields: ({ created, generation, archived, seasons }, _, game) => ({
    created,
    generation,
    listedIn: archived ? null : game,
    ...(!archived && seasons?.open && { seasonEnds: seasons.open.ends }),
  }),
  indexes: { game: ['listedIn', 'created'], seasonEnds: ['seasonEnds'] },
})

const keys = aggregateView<KeyClaim, BoardKeyEvent>({
  name: 'board_keys',
  version: VERSION,
  aggregate: boardKey,
  takes: ['LeaderboardKeyClaimed', 'LeaderboardKeyReleased'],
  indexes: {},
})

const partOf = ({ stream }: StoredEvent): Projection => (isNamed(stream, 'boardkey-') ? keys : boards)

export const leaderboards: Projection = {
  name: NAME,
  version: VERSION,
  collections: [...boards.collections, ...keys.collections],
  takes: [...boards.takes, ...keys.takes],
  needs: (event, peek, stream) => partOf(event).needs(event, peek, stream),
  handle: (event, docs, stream) => partOf(event).handle(event, docs, stream),
}
