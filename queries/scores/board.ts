// What all reads of one leaderboard's entries go through: the ranking says who stands where, the entries view says what
// they are, and a row is answered only when both agree.

import { Refusal } from '../../domain/decider.ts'
import type { Rules } from '../../domain/leaderboard.ts'
import { rankingKey, uniqueEntry } from '../../ranking/key.ts'
import type { Find } from '../../stores/contract/views.ts'
import type { QueryDeps } from '../deps.ts'
import type { Board } from '../leaderboard.ts'
import { asEntry, type Entry, type Ranked } from './entry.ts'

const TRIES = 5
const PAGE = 5_000

export interface Reader {
  readonly board: string
  readonly game: string
  readonly rules: Rules
  readonly key: string
  readonly deps: QueryDeps
  find(find: Omit<Find, 'view' | 'collection'>): Promise<Entry[]>
  /** A player's best entry, or null. */
  bestOf(player: string): Promise<Entry | null>
  /** The present names of players, in order. */
  names(players: readonly string[]): Promise<(string | null)[]>
}

export function readerOf(deps: QueryDeps, { id, game, generation, state }: Board): Reader {
  const view = deps.viewKey('entries')
  const key = rankingKey(id, generation)
  const find = async (asked: Omit<Find, 'view' | 'collection'>) =>
    (await deps.views.find({ ...asked, view, collection: 'entries' })).map(asEntry)
  return {
    board: id,
    game,
    rules: state.rules,
    key,
    deps,
    find,
    bestOf: async (player) => {
      if (!state.rules.unique) return (await find({ index: 'player', equal: [player, key], limit: 1 }))[0] ?? null
      const [document] = await deps.views.get(view, 'entries', [uniqueEntry(id, player)])
      return document ? asEntry(document) : null
    },
    names: async (players) => {
      const documents = await deps.views.get(view, 'names', players)
      return documents.map((document) => (document?.body.name ?? null) as string | null)
    },
  }
}

/** Runs a read until ranking and documents agree; 503 `views_moving` when they do not in 5 tries. */
export async function agreed<Result>(read: () => Promise<Result | null>): Promise<Result> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const result = await read()
    if (result !== null) return result
    await new Promise((next) => setImmediate(next))
  }
  const detail = 'The leaderboard changed while it was read. Read again in a moment.'
  throw new Refusal('unavailable', 'views_moving', detail, { retry_after: 1 })
}

/** Entries at places `offset` … of the ranking, or null where the documents are not those. O(log n + limit). */
export async function slice(reader: Reader, offset: number, limit: number): Promise<Ranked[] | null> {
  const members = await reader.deps.rankings.range(reader.key, offset, limit)
  return entriesOf(reader, members, offset)
}

/** The entries of adjacent members, ranked from `offset`; null where the documents are not those. */
export async function entriesOf(reader: Reader, members: readonly string[], offset: number): Promise<Ranked[] | null> {
  const [first] = members
  if (first === undefined) return []
  const entries = await reader.find({ index: 'rank', equal: [reader.key], from: first, limit: members.length })
  const agree = entries.length === members.length && entries.every((entry, i) => entry.member === members[i])
  return agree ? entries.map((entry, i) => ({ entry, rank: offset + i + 1 })) : null
}

/** Each entry with its rank, or null where one of them is not ranked. O(k log n). */
export async function withRanks(reader: Reader, entries: readonly Entry[]): Promise<Ranked[] | null> {
  const ranked: Ranked[] = []
  for (const entry of entries) {
    const place = await reader.deps.rankings.rank(reader.key, entry.member)
    if (place === null) return null
    ranked.push({ entry, rank: place + 1 })
  }
  return ranked
}

/** Every entry in rank order, or null where the view moved on meanwhile. O(n). */
export async function everyEntry(reader: Reader): Promise<Entry[] | null> {
  const { deps, game, key } = reader
  const before = deps.position(game)
  const all: Entry[] = []
  for (let after: string | undefined; ; ) {
    const bound = after === undefined ? {} : { after }
    const page = await reader.find({ index: 'rank', equal: [key], ...bound, limit: PAGE })
    all.push(...page)
    if (page.length < PAGE) break
    after = page.at(-1)?.member
  }
  return all.length <= PAGE || deps.position(game) === before ? all : null
}
