// The view of entries: what is ranked. On a unique board one document a player, else one a submission; each holds its place
// in the ranking and the name shown beside it. Whether it is shown there is computed from it and its player's visibility: the
// entries of a banned player are kept and hidden, those of a deleted one are gone. A board has a generation of entries in force,
// and while it is rebuilt the next one beside it, which hears of nothing but what is replayed for it.

import type { Rules } from '../domain/board-rules.ts'
import { type StoredEvent, shaped } from '../domain/event.ts'
import { samePlace } from '../domain/event-place.ts'
import { partitionOf } from '../domain/partition.ts'
import type { ClearedSlice } from '../domain/rebuild.ts'
import { rankingKey } from '../ranking/key.ts'
import { generationRef, replays, SLICES } from './entries-replayed.ts'
import { entryRefs, type Generation, hidden, scored, shown, visibilityOf } from './entry-documents.ts'
import type { DocRef, Docs, Peek, Projection } from './projection.ts'

export const entries: Projection = {
  name: 'entries',
  version: 3,
  collections: [
    {
      name: 'entries',
      indexes: {
        rank: ['ranking', 'member'],
        oldest: ['ranking', 'updated', 'member'],
        newest: ['ranking', '-updated', 'member'],
        player: ['player', 'ranking', 'member'],
        lookup: ['lookup'],
      },
    },
    // Which generation is in force; and every one that has entries.
    { name: 'boards', indexes: {} },
    { name: 'generations', indexes: { partition: ['partition', 'ranking'] } },
    { name: 'names', indexes: {} },
  ],
  takes: [
    'LeaderboardCreated',
    'LeaderboardRulesRequested',
    ...SLICES,
    'PlayerCreated',
    'PlayerNamed',
    'PlayerBanned',
    'PlayerUnbanned',
    'PlayerDeleted',
    'ScoreSubmitted',
    'ScoreDeleted',
  ],
  ranked: {
    collection: 'entries',
    index: 'rank',
    key: 'ranking',
    member: 'member',
    aside: 'aside',
    keys: 'generations',
    byPartition: 'partition',
  },
  replays,

  needs(event, peek, stream) {
    const { board = '', player = '' } = event.meta
    switch (event.type) {
      case 'LeaderboardCreated':
      case 'LeaderboardRulesChanged':
        return [['boards', board], generationRef(event)]
      case 'LeaderboardRulesRequested':
      case 'LeaderboardSliceCleared':
        return [generationRef(event)]
      case 'LeaderboardSliceBuilt':
        return []
      case 'ScoreSubmitted':
      case 'ScoreDeleted':
        return scoreRefs(event, peek, stream)
      default:
        return [['names', player]]
    }
  },

  query({ type, meta }) {
    if (!OF_ALL_ENTRIES.has(type)) return []
    // Hidden ones come first: hiding takes an entry back to them, and showing it away from there.
    const reverse = type === 'PlayerUnbanned'
    return [{ collection: 'entries', index: 'player', equal: [meta.player ?? ''], reverse }]
  },

  removalQuery({ type, meta }) {
    // Of every generation, shown or hidden: each is a player's.
    if (type !== 'PlayerCreated') return []
    return [{ collection: 'entries', index: 'player', equal: [meta.player ?? ''] }]
  },

  handle(event, docs, stream) {
    switch (event.type) {
      case 'LeaderboardCreated':
      case 'LeaderboardRulesRequested':
        return generationBegun(event, docs)
      case 'LeaderboardRulesChanged':
        return generationInForce(event, docs)
      case 'LeaderboardSliceCleared':
        return generationCleared(event, docs)
      case 'PlayerCreated':
      case 'PlayerNamed':
        return named(event, docs)
      case 'PlayerBanned':
        return stands(event, docs, 'hidden')
      case 'PlayerUnbanned':
        return stands(event, docs, 'shown')
      case 'PlayerDeleted':
        return gone(event, docs)
      case 'ScoreSubmitted':
      case 'ScoreDeleted':
        return scored(event, inForce(docs, event), docs, stream)
    }
  },

  updateEach({ type, data }, docs, id) {
    if (type === 'PlayerDeleted') return docs.remove('entries', id)
    const entry = docs.get('entries', id)
    if (entry === null) return
    if (type === 'PlayerBanned') docs.put('entries', id, hidden(entry))
    else if (type === 'PlayerUnbanned') docs.put('entries', id, shown(entry))
    else if (entry.ownName === null) docs.put('entries', id, { ...entry, name: data.name ?? null })
  },
}

const OF_ALL_ENTRIES: ReadonlySet<string> = new Set(['PlayerNamed', 'PlayerBanned', 'PlayerUnbanned', 'PlayerDeleted'])

function scoreRefs(event: StoredEvent, peek: Peek, stream: readonly StoredEvent[]): readonly DocRef[] {
  const { board = '', player = '' } = event.meta
  const boardRef: DocRef = ['boards', board]
  const names: DocRef = ['names', player]
  const held = peek(...boardRef)
  return held === null ? [boardRef, names] : [boardRef, names, ...entryRefs(event, shaped(held), stream)]
}

function inForce(docs: Docs, event: StoredEvent): Generation {
  const board = docs.get('boards', event.meta.board ?? '')
  if (board === null) throw new Error(`a submission to leaderboard ${event.meta.board}, which was never created`)
  return shaped(board)
}

function generationBegun(event: StoredEvent, docs: Docs): void {
  const { meta, type } = event
  const { rules, generation = 1 } = shaped<{ rules: Rules; generation?: number }>(event.data)
  const board = meta.board ?? ''
  const own = { generation, rules, ranking: rankingKey(board, generation), partition: partitionOf(meta.game) }
  docs.put(...generationRef(event), own)
  if (type === 'LeaderboardCreated') docs.put('boards', board, { generation, rules })
}

function generationInForce({ meta, data }: StoredEvent, docs: Docs): void {
  const { rules, generation } = shaped<Generation>(data)
  docs.put('boards', meta.board ?? '', { generation, rules })
}

function generationCleared(event: StoredEvent, docs: Docs): void {
  const { upTo, until } = shaped<ClearedSlice>(event.data)
  if (samePlace(upTo, until) && docs.get(...generationRef(event)) !== null) docs.remove(...generationRef(event))
}

function named({ meta, data }: StoredEvent, docs: Docs): void {
  docs.put('names', meta.player ?? '', { name: data.name ?? null, standing: visibilityOf(docs, meta.player) })
}

function stands({ meta }: StoredEvent, docs: Docs, visibility: 'shown' | 'hidden'): void {
  const player = meta.player ?? ''
  docs.put('names', player, { name: docs.get('names', player)?.name ?? null, standing: visibility })
}

/** Only that they are gone is kept: what they submitted a moment before, and comes later in the log, is not shown either. */
function gone({ meta }: StoredEvent, docs: Docs): void {
  docs.put('names', meta.player ?? '', { name: null, standing: 'gone' })
}
