// The view of entries, which are ranked. A unique board has one document per player, any other board one per
// submission. Each document holds its sort key in the ranking (`member`) and the name shown beside it. The player's
// visibility decides whether it is ranked: entries of a banned player are kept but hidden, those of a deleted player
// are removed. A board has one active generation of entries; during a rule change the next generation is built beside
// it and receives only replayed events.

import type { Rules } from '../domain/board-rules.ts'
import { type StoredEvent, sameReference, unsafeCast } from '../domain/event.ts'
import { partitionOf } from '../domain/partition.ts'
import type { ClearedRange } from '../domain/rule-change.ts'
import { FIRST_NUMBERING } from '../domain/season-records.ts'
import { SEASON_EVENTS } from '../domain/seasons.ts'
import { rankingKey, seasonKey } from '../ranking/key.ts'
import { generationRef, REPLAY_TRIGGERS, replays } from './entries-replayed.ts'
import { applyScoreEvent, entryRefs, type Generation, visibilityOf } from './entry-documents.ts'
import { atClosing, deleted, hidden, shown } from './entry-visibility.ts'
import type { DocRef, Docs, Peek, Projection } from './projection.ts'
import { changedSeasonDocuments, putSeasons, seasonsRef } from './season-documents.ts'
import { applyToSeasons, seasonRefs, seasonsOfEvent } from './season-entries.ts'

export const entries: Projection = {
  name: 'entries',
  version: 7,
  collections: [
    {
      name: 'entries',
      indexes: {
        rank: ['ranking', 'member'],
        oldest: ['ranking', 'updated', 'member'],
        newest: ['ranking', '-updated', 'member'],
        player: ['player', 'ranking', 'ofPlayer'],
        lookup: ['lookup'],
        differing: ['changedIn', 'differsAs', 'differsKey'],
        changed: ['changedIn', 'changedAt', 'differsKey'],
      },
      // A sort key ends with the id of its entry. Entries of one id differ in their generation. Hidden entries of a
      // player may agree on several boards.
      ranking: 'rank',
      // `added`, which is in no index, is here too: a better score then makes its row hardly longer.
      fields: {
        added: 'time',
        ranking: 'term',
        member: 'text',
        updated: 'time',
        player: 'text',
        ofPlayer: 'text',
        lookup: 'text',
        changedIn: 'term',
        changedAt: 'text',
        differsAs: 'term',
        differsKey: 'text',
      },
    },
    // `boards` holds the active generation of each board; `generations` every generation that has entries, and every
    // ranking of a season.
    { name: 'boards', indexes: {} },
    { name: 'generations', indexes: { partition: ['partition', 'ranking'], season: ['season'] } },
    { name: 'seasons', indexes: {} },
    { name: 'season_chunks', indexes: {} },
    { name: 'names', indexes: {} },
  ],
  takes: [
    'LeaderboardCreated',
    'LeaderboardRulesRequested',
    ...REPLAY_TRIGGERS,
    'PlayerCreated',
    'PlayerNamed',
    'PlayerBanned',
    'PlayerUnbanned',
    'PlayerDeleted',
    'ScoreSubmitted',
    'ScoreDeleted',
    ...SEASON_EVENTS,
  ],
  ranked: {
    collection: 'entries',
    index: 'rank',
    key: 'ranking',
    sortKey: 'member',
    hiddenField: 'aside',
    keys: 'generations',
    byPartition: 'partition',
  },
  replays,

  needs(event, peek, stream) {
    const { board = '', player = '' } = event.meta
    switch (event.type) {
      case 'LeaderboardCreated':
        return [['boards', board], generationRef(event)]
      case 'LeaderboardRulesChanged':
        return [['boards', board], generationRef(event), seasonsRef(event)]
      case 'LeaderboardRulesRequested':
        return [generationRef(event)]
      case 'LeaderboardSliceCleared':
        return [generationRef(event), seasonsRef(event)]
      case 'LeaderboardSliceBuilt':
        return []
      case 'SeasonScheduleSet':
      case 'SeasonOpened':
      case 'SeasonClosed':
      case 'SeasonStandingRecorded':
        return [['boards', board], ...changedSeasonDocuments(event)]
      case 'ScoreSubmitted':
      case 'ScoreDeleted':
        return scoreRefs(event, peek, stream)
      default:
        return [['names', player]]
    }
  },

  query({ type, meta, data }) {
    if (type === 'SeasonClosed') {
      const equal = [seasonKey(meta.board ?? '', FIRST_NUMBERING, Number(data.season))]
      return [{ collection: 'entries', index: 'differing', equal }]
    }
    if (!CHANGES_ALL_ENTRIES.has(type)) return []
    // Hidden entries come first in this index. Hiding moves an entry back to them, showing moves it away from there, so
    // the direction avoids meeting an entry twice.
    const reverse = type === 'PlayerUnbanned'
    return [{ collection: 'entries', index: 'player', equal: [meta.player ?? ''], reverse }]
  },

  removalQuery({ type, meta, data }) {
    if (type === 'SeasonOpened') {
      // Submissions join the next season before it opens.
      const numbers = [Number(data.season), Number(data.season) + 1]
      return numbers.map((season) => ({
        collection: 'generations',
        index: 'season',
        equal: [seasonKey(meta.board ?? '', FIRST_NUMBERING, season)],
      }))
    }
    // Entries of every generation, shown or hidden.
    if (type !== 'PlayerCreated') return []
    return [{ collection: 'entries', index: 'player', equal: [meta.player ?? ''] }]
  },

  handle(event, docs, stream) {
    switch (event.type) {
      case 'LeaderboardCreated':
      case 'LeaderboardRulesRequested':
        return putGeneration(event, docs)
      case 'LeaderboardRulesChanged':
        return activateGeneration(event, docs)
      case 'LeaderboardSliceCleared':
        return finishClearing(event, docs)
      case 'PlayerCreated':
      case 'PlayerNamed':
        return putName(event, docs)
      case 'PlayerBanned':
        return putVisibility(event, docs, 'hidden')
      case 'PlayerUnbanned':
        return putVisibility(event, docs, 'shown')
      case 'PlayerDeleted':
        return putDeleted(event, docs)
      case 'ScoreSubmitted':
      case 'ScoreDeleted':
        if (replacedLater(docs, event)) return
        return applyToEntries(event, docs, stream)
      case 'SeasonScheduleSet':
      case 'SeasonOpened':
      case 'SeasonClosed':
      case 'SeasonStandingRecorded':
        return putSeasons(event, activeGeneration(docs, event), docs)
    }
  },

  updateEach({ type, data, position }, docs, id) {
    const entry = docs.get('entries', id)
    if (entry === null) return
    if (type === 'PlayerDeleted' || type === 'SeasonClosed') {
      const left = type === 'PlayerDeleted' ? deleted(entry, position) : atClosing(entry)
      return left === null ? docs.remove('entries', id) : docs.put('entries', id, left)
    }
    if (type === 'PlayerBanned') docs.put('entries', id, hidden(entry, position))
    else if (type === 'PlayerUnbanned') docs.put('entries', id, shown(entry, position))
    else if (entry.ownName === null) docs.put('entries', id, { ...entry, name: data.name ?? null })
  },
}

const CHANGES_ALL_ENTRIES: ReadonlySet<string> = new Set([
  'PlayerNamed',
  'PlayerBanned',
  'PlayerUnbanned',
  'PlayerDeleted',
])

function scoreRefs(event: StoredEvent, peek: Peek, stream: readonly StoredEvent[]): readonly DocRef[] {
  const { board = '', player = '' } = event.meta
  const boardRef: DocRef = ['boards', board]
  const names: DocRef = ['names', player]
  const known = [boardRef, names, seasonsRef(event)]
  const stored = peek(...boardRef)
  if (stored === null) return known
  const active = unsafeCast<Generation>(stored)
  const seasons = seasonsOfEvent(event, active, peek)
  if (seasons === null) return [...known, ...entryRefs(event, active, stream)]
  return [...known, ...entryRefs(event, active, stream), ...seasonRefs(event, seasons, stream)]
}

function applyToEntries(event: StoredEvent, docs: Docs, stream: readonly StoredEvent[]): void {
  const active = activeGeneration(docs, event)
  applyScoreEvent(event, active, docs, stream)
  const seasons = seasonsOfEvent(event, active, (collection, id) => docs.get(collection, id))
  if (seasons !== null) applyToSeasons(event, seasons, docs, stream)
}

/**
 * Whether the stored rules come from a later change of rules. That change is applied again too; its replay has this
 * event, and the generation that was active before is no longer read.
 */
const replacedLater = (docs: Docs, event: StoredEvent): boolean => docs.isAfter('boards', event.meta.board ?? '', event)

function activeGeneration(docs: Docs, event: StoredEvent): Generation {
  const board = docs.get('boards', event.meta.board ?? '')
  if (board === null) throw new Error(`a submission to leaderboard ${event.meta.board}, which was never created`)
  return unsafeCast(board)
}

function putGeneration(event: StoredEvent, docs: Docs): void {
  const { meta, type } = event
  const { rules, generation = 1 } = unsafeCast<{ rules: Rules; generation?: number }>(event.data)
  const board = meta.board ?? ''
  const own = { generation, rules, ranking: rankingKey(board, generation), partition: partitionOf(meta.game) }
  docs.put(...generationRef(event), own)
  if (type === 'LeaderboardCreated') docs.put('boards', board, { generation, rules })
}

function activateGeneration(event: StoredEvent, docs: Docs): void {
  const { rules, generation } = unsafeCast<Generation>(event.data)
  docs.put('boards', event.meta.board ?? '', { generation, rules })
  putSeasons(event, { generation, rules }, docs)
}

const isLastRange = ({ upTo, until }: ClearedRange): boolean => sameReference(upTo, until)

function finishClearing(event: StoredEvent, docs: Docs): void {
  if (!isLastRange(unsafeCast<ClearedRange>(event.data))) return
  const ref = generationRef(event)
  if (docs.get(...ref) !== null) docs.remove(...ref)
}

function putName({ meta, data }: StoredEvent, docs: Docs): void {
  docs.put('names', meta.player ?? '', { name: data.name ?? null, standing: visibilityOf(docs, meta.player) })
}

function putVisibility({ meta }: StoredEvent, docs: Docs, visibility: 'shown' | 'hidden'): void {
  const player = meta.player ?? ''
  docs.put('names', player, { name: docs.get('names', player)?.name ?? null, standing: visibility })
}

/**
 * Keeps only the fact of the deletion: a score that the player submitted just before, and that comes later in the log,
 * is not shown either.
 */
function putDeleted({ meta }: StoredEvent, docs: Docs): void {
  docs.put('names', meta.player ?? '', { name: null, standing: 'gone' })
}
