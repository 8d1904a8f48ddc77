// The view of entries: what is ranked. On a unique board one document a player, else one a submission; each holds its place
// in the ranking as a member, and the name shown beside it.

import { type JsonObject, type StoredEvent, shaped } from '../domain/event.ts'
import type { Rules } from '../domain/leaderboard.ts'
import { beats, type ScoreSubmittedData } from '../domain/score.ts'
import { rankingKey, uniqueEntry } from '../ranking/key.ts'
import { encodeMember } from '../ranking/member.ts'
import { partitionOf } from '../stores/contract/partition.ts'
import type { DocRef, Docs, Peek, Projection } from './projection.ts'

export const entries: Projection = {
  name: 'entries',
  version: 2,
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
    { name: 'boards', indexes: { partition: ['partition', 'ranking'] } },
    { name: 'names', indexes: {} },
  ],
  takes: ['LeaderboardCreated', 'PlayerCreated', 'PlayerNamed', 'ScoreSubmitted', 'ScoreDeleted'],
  ranked: {
    collection: 'entries',
    index: 'rank',
    key: 'ranking',
    member: 'member',
    keys: 'boards',
    byPartition: 'partition',
  },

  needs(event, peek) {
    const { board = '', player = '' } = event.meta
    switch (event.type) {
      case 'LeaderboardCreated':
        return [['boards', board]]
      case 'ScoreSubmitted':
      case 'ScoreDeleted':
        return entryRefs(event, peek)
      default:
        return [['names', player]]
    }
  },

  finds({ type, meta }) {
    if (type !== 'PlayerNamed') return []
    return [{ collection: 'entries', index: 'player', equal: [meta.player ?? ''], limit: 0 }]
  },

  handle(event, docs, found) {
    switch (event.type) {
      case 'LeaderboardCreated':
        return boardCreated(event, docs)
      case 'PlayerCreated':
      case 'PlayerNamed':
        return named(event, docs, found)
      case 'ScoreSubmitted':
        return submitted(event, docs)
      case 'ScoreDeleted':
        return docs.remove(...entryOf(event, rulesOf(docs, event)))
    }
  },
}

function entryRefs(event: StoredEvent, peek: Peek): readonly DocRef[] {
  const { board = '', player = '' } = event.meta
  const held = peek('boards', board)
  if (held === null)
    return [
      ['boards', board],
      ['names', player],
    ]
  return [['boards', board], ['names', player], entryOf(event, shaped(held.rules))]
}

/** A unique board's entry is the player's; else a submission is an entry. */
function entryOf({ meta, data }: StoredEvent, rules: Rules): DocRef {
  return ['entries', rules.unique ? uniqueEntry(meta.board ?? '', meta.player ?? '') : (data.id as string)]
}

function rulesOf(docs: Docs, event: StoredEvent): Rules {
  const board = docs.get('boards', event.meta.board ?? '')
  if (board === null) throw new Error(`a submission to leaderboard ${event.meta.board}, which was never created`)
  return shaped(board.rules)
}

function boardCreated({ meta, data }: StoredEvent, docs: Docs): void {
  const { rules } = shaped<{ rules: Rules }>(data)
  const board = meta.board ?? ''
  docs.put('boards', board, { rules, ranking: rankingKey(board, 1), partition: partitionOf(meta.game) })
}

function named({ meta, data }: StoredEvent, docs: Docs, found: readonly string[]): void {
  const name = (data.name ?? null) as string | null
  docs.put('names', meta.player ?? '', { name })
  for (const id of found) {
    const entry = docs.get('entries', id)
    if (entry !== null && entry.ownName === null) docs.put('entries', id, { ...entry, name })
  }
}

function submitted(event: StoredEvent, docs: Docs): void {
  const rules = rulesOf(docs, event)
  const data = shaped<ScoreSubmittedData>(event.data)
  const [collection, id] = entryOf(event, rules)
  const standing = docs.get(collection, id)
  if (standing !== null && !beats(rules, data, shaped(standing))) return
  docs.put(collection, id, entry(event, data, rules, standing, docs))
}

function entry(
  { meta, revision }: StoredEvent,
  { id, score, secondary, extra, playerName }: ScoreSubmittedData,
  rules: Rules,
  standing: JsonObject | null,
  docs: Docs,
): JsonObject {
  const { board = '', player = '', time } = meta
  const own = (standing?.id ?? id) as string
  return {
    id: own,
    lookup: rules.unique ? own : null,
    board,
    player,
    ranking: rankingKey(board, 1),
    member: encodeMember({ score, secondary, timeMs: Date.parse(time), id: own }, rules),
    score,
    secondary,
    extra,
    ownName: playerName,
    name: playerName ?? docs.get('names', player)?.name ?? null,
    added: standing?.added ?? time,
    updated: time,
    revision,
  }
}
