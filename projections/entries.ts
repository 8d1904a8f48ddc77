// The view of entries: what is ranked. On a unique board one document a player, else one a submission; each holds its place
// in the ranking and the name shown beside it. Whether it is shown there is computed from it and its player's visibility: the
// entries of a banned player are kept and hidden, those of a deleted one are gone.

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
  takes: [
    'LeaderboardCreated',
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
    if (!OF_ALL_ENTRIES.has(type)) return []
    return [{ collection: 'entries', index: 'player', equal: [meta.player ?? ''], limit: 0 }]
  },

  handle(event, docs, found) {
    switch (event.type) {
      case 'LeaderboardCreated':
        return boardCreated(event, docs)
      case 'PlayerCreated':
      case 'PlayerNamed':
        return named(event, docs, found)
      case 'PlayerBanned':
        return stands(event, docs, found, 'hidden')
      case 'PlayerUnbanned':
        return stands(event, docs, found, 'shown')
      case 'PlayerDeleted':
        return deleted(event, docs, found)
      case 'ScoreSubmitted':
        return submitted(event, docs)
      case 'ScoreDeleted':
        return docs.remove(...entryOf(event, rulesOf(docs, event)))
    }
  },
}

const OF_ALL_ENTRIES: ReadonlySet<string> = new Set(['PlayerNamed', 'PlayerBanned', 'PlayerUnbanned', 'PlayerDeleted'])

/** What becomes of a player's entries. Kept in `names` as `standing`: another field name would take a new version. */
type Visibility = 'shown' | 'hidden' | 'gone'

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
  docs.put('names', meta.player ?? '', { name, standing: visibilityOf(docs, meta.player) })
  for (const id of found) {
    const entry = docs.get('entries', id)
    if (entry !== null && entry.ownName === null) docs.put('entries', id, { ...entry, name })
  }
}

function visibilityOf(docs: Docs, player = ''): Visibility {
  return (docs.get('names', player)?.standing ?? 'shown') as Visibility
}

function stands({ meta }: StoredEvent, docs: Docs, found: readonly string[], visibility: 'shown' | 'hidden'): void {
  const player = meta.player ?? ''
  docs.put('names', player, { name: docs.get('names', player)?.name ?? null, standing: visibility })
  for (const id of found) {
    const entry = docs.get('entries', id)
    if (entry !== null) docs.put('entries', id, visibility === 'hidden' ? hidden(entry) : shown(entry))
  }
}

/** Only that they are gone is kept: what they submitted a moment before, and comes later in the log, is not shown either. */
function deleted({ meta }: StoredEvent, docs: Docs, found: readonly string[]): void {
  docs.put('names', meta.player ?? '', { name: null, standing: 'gone' })
  for (const id of found) docs.remove('entries', id)
}

/** An entry that is not ranked, and so in none of the indexes that are read by; `aside` says where it comes back to. */
function hidden(entry: JsonObject): JsonObject {
  if (entry.aside !== undefined) return entry
  const { ranking = null, member = null } = entry
  return { ...entry, ranking: null, member: null, aside: { ranking, member } }
}

/** The entry as it was, byte for byte, before it was hidden. */
function shown({ aside, ...entry }: JsonObject): JsonObject {
  return { ...entry, ...shaped<JsonObject>(aside ?? {}) }
}

function submitted(event: StoredEvent, docs: Docs): void {
  const visibility = visibilityOf(docs, event.meta.player)
  if (visibility === 'gone') return
  const rules = rulesOf(docs, event)
  const data = shaped<ScoreSubmittedData>(event.data)
  const [collection, id] = entryOf(event, rules)
  const present = docs.get(collection, id)
  if (present !== null && !beats(rules, data, shaped(present))) return
  const made = entry(event, data, rules, present, docs)
  docs.put(collection, id, visibility === 'hidden' ? hidden(made) : made)
}

function entry(
  { meta, revision }: StoredEvent,
  { id, score, secondary, extra, playerName }: ScoreSubmittedData,
  rules: Rules,
  present: JsonObject | null,
  docs: Docs,
): JsonObject {
  const { board = '', player = '', time } = meta
  const own = (present?.id ?? id) as string
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
    added: present?.added ?? time,
    updated: time,
    revision,
  }
}
