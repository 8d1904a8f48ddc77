// The view with what a read of a board's past needs beyond the board's own history: bans with their times, deleted
// players, and the board and player of deleted scores. It holds no personal text.

import type { StoredEvent } from '../domain/event.ts'
import type { DocRef, Projection } from './projection.ts'

const COLLECTIONS: Readonly<Record<string, string>> = {
  PlayerBanned: 'bans',
  PlayerUnbanned: 'bans',
  PlayerDeleted: 'gone',
  ScoreDeleted: 'scores',
}

function refOf({ type, data, position }: StoredEvent): DocRef {
  return [COLLECTIONS[type] ?? '', type === 'ScoreDeleted' ? String(data.id) : position]
}

export const past: Projection = {
  name: 'past',
  version: 1,
  collections: [
    { name: 'bans', indexes: { game: ['game', 'position'], player: ['player', 'position'] } },
    { name: 'gone', indexes: { game: ['game', 'position'], player: ['player', 'position'] } },
    { name: 'scores', indexes: {} },
  ],
  takes: Object.keys(COLLECTIONS),

  needs: (event) => [refOf(event)],

  handle(event, docs) {
    const { game, board = '', player = '', time } = event.meta
    const { position } = event
    if (event.type === 'ScoreDeleted') docs.put(...refOf(event), { game, board, player })
    else if (event.type === 'PlayerDeleted') docs.put(...refOf(event), { game, player, position })
    else docs.put(...refOf(event), { game, player, position, time, banned: event.type === 'PlayerBanned' })
  },
}
