// The view of activity: recorded submissions and active players of each game per hour and day, submissions of each
// leaderboard per hour, and what people changed. It holds no personal text, so a deletion of a player changes nothing.
//
// A player's document has the position of their first submission of each hour and day. So an event that is applied
// again after a crash is counted as before, also if only some of its documents were written. If that row is gone, a
// later submission of the player has removed it, and removes it from the counts of the game too.

import {
  type BoardActivity,
  DAYS_KEPT,
  dayOf,
  type GameActivity,
  HOURS_KEPT,
  hourOf,
  isFirst,
  type PlayerActivity,
  rowAt,
  withRow,
  withSubmission,
} from '../domain/activity.ts'
import { type JsonObject, type StoredEvent, unsafeCast } from '../domain/event.ts'
import { idIn } from '../domain/streams.ts'
import type { DocRef, Docs, Projection } from './projection.ts'

/** Events that are actions if a caller recorded them, and what each of them is about. */
const ACTIONS: Readonly<Record<string, 'game' | 'leaderboard' | 'player' | 'key' | 'bucket'>> = {
  GameCreated: 'game',
  GameRenamed: 'game',
  GameConfigured: 'game',
  FixedRoomsSet: 'game',
  GameLimitsSet: 'game',
  KeyIssued: 'key',
  KeyPermissionsChanged: 'key',
  KeyRevoked: 'key',
  LeaderboardCreated: 'leaderboard',
  LeaderboardDescribed: 'leaderboard',
  LeaderboardKeyChanged: 'leaderboard',
  LeaderboardArchived: 'leaderboard',
  LeaderboardRulesRequested: 'leaderboard',
  LeaderboardRulesCancelled: 'leaderboard',
  SeasonScheduleSet: 'leaderboard',
  ScoreDeleted: 'player',
  PlayerBanned: 'player',
  PlayerUnbanned: 'player',
  PlayerDeleted: 'player',
  BucketCreated: 'bucket',
  BucketConfigured: 'bucket',
  BucketDeleted: 'bucket',
}

const actionRef = ({ position }: StoredEvent): DocRef => ['actions', position]

export const activity: Projection = {
  name: 'activity',
  version: 1,
  collections: [
    { name: 'games', indexes: {} },
    { name: 'players', indexes: {} },
    { name: 'boards', indexes: { game: ['game', 'hour'] } },
    { name: 'actions', indexes: { game: ['game', 'position'] } },
  ],
  takes: ['ScoreSubmitted', ...Object.keys(ACTIONS)],

  needs(event) {
    if (event.type !== 'ScoreSubmitted') return [actionRef(event)]
    const { game, board = '', player = '' } = event.meta
    return [
      ['games', game ?? ''],
      ['players', player],
      ['boards', board],
    ]
  },

  handle(event, docs) {
    if (event.type === 'ScoreSubmitted') countSubmission(event, docs)
    else putAction(event, docs)
  },
}

const NO_GAME: GameActivity = { hours: [], days: [] }
const NO_PLAYER: PlayerActivity = { hours: [], days: [] }
const NO_BOARD: BoardActivity = { hour: 0, hours: [] }

function countSubmission({ position, meta }: StoredEvent, docs: Docs): void {
  const { board = '', player = '', time } = meta
  const game = meta.game ?? ''
  const hour = hourOf(time)
  const day = dayOf(hour)

  const seen = unsafeCast<PlayerActivity | null>(docs.get('players', player)) ?? NO_PLAYER
  const [ofHour, ofDay] = [rowAt(seen.hours, hour), rowAt(seen.days, day)]
  if (ofHour === null || ofDay === null) {
    docs.put('players', player, {
      game,
      hours: ofHour === null ? withRow(seen.hours, [hour, position], HOURS_KEPT) : seen.hours,
      days: ofDay === null ? withRow(seen.days, [day, position], DAYS_KEPT) : seen.days,
    })
  }

  const counted = unsafeCast<GameActivity | null>(docs.get('games', game)) ?? NO_GAME
  docs.put('games', game, {
    hours: withSubmission(counted.hours, hour, isFirst(ofHour, position), HOURS_KEPT),
    days: withSubmission(counted.days, day, isFirst(ofDay, position), DAYS_KEPT),
  })

  const onBoard = unsafeCast<BoardActivity | null>(docs.get('boards', board)) ?? NO_BOARD
  const submissions = (rowAt(onBoard.hours, hour)?.[1] ?? 0) + 1
  docs.put('boards', board, {
    game,
    hour: Math.max(onBoard.hour, hour),
    hours: withRow(onBoard.hours, [hour, submissions], HOURS_KEPT),
  })
}

function putAction(event: StoredEvent, docs: Docs): void {
  const { position, type, stream, meta } = event
  const { game, actor, time, player = '' } = meta
  const about = ACTIONS[type]
  // What the service does by itself, such as ending a ban, has no actor.
  if (game === null || actor === null || about === undefined) return
  const id = about === 'player' ? player : idIn(stream)
  docs.put(...actionRef(event), { game, position, type, time, actor, about, id } satisfies JsonObject)
}
