// Access to the current entries of a leaderboard. The ranking gives positions, the entries view gives content, and a
// row is returned only if both agree.

import { Refusal } from '../../domain/decider.ts'
import { partitionOf } from '../../domain/partition.ts'
import { entryDocument, rankingKey } from '../../ranking/key.ts'
import type { TimeSlices } from '../../scheduling/time-slices.ts'
import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import { RankingsLost } from '../../stores/contract/rankings.ts'
import type { Find } from '../../stores/contract/views.ts'
import type { QueryDeps } from '../deps.ts'
import type { Board } from '../leaderboard.ts'
import { presentNames } from '../present-players.ts'
import { viewReached } from '../reached.ts'
import { asEntry, type Entry, isShown, type Ranked } from './entry.ts'
import type { Reader } from './reader.ts'
import { rowsAround, rowsAt } from './rows.ts'

const TRIES = 5
/** Entries per read: less than a millisecond with a store in this process. */
const PAGE = 100

export function readerOf(deps: QueryDeps, { id, game, generation, state }: Board): Reader {
  const view = deps.viewKey('entries')
  const key = rankingKey(id, generation)
  const find = async (query: Omit<Find, 'view' | 'collection'>) =>
    (await deps.views.find({ ...query, view, collection: 'entries' })).map(asEntry)
  const { unique } = state.rules
  const document = (player: string, submission: string) =>
    entryDocument({ board: id, generation, unique, player, submission })
  const get = async (ids: readonly string[]) => {
    const documents = await deps.views.get(view, 'entries', ids)
    return documents
      .filter((document) => document !== null)
      .filter(isShown)
      .map(asEntry)
  }
  const rankings = deps.rankings.of(view, partitionOf(game))
  const reader: Reader = {
    board: id,
    game,
    rules: state.rules,
    generation,
    key,
    rankings,
    deps,
    skipsOneByOne: true,
    at: (offset, limit) => rowsAt(reader, rankings, offset, limit),
    around: (player, limit) => rowsAround(reader, rankings, player, limit),
    find,
    get,
    entriesOf: (members) => find({ index: 'rank', equal: [key], among: members, limit: members.length }),
    documentOf: (entry) => document(entry.player, entry.id),
    documentFor: document,
    bestOf: async (player) => {
      const [best] = unique
        ? await get([document(player, '')])
        : await find({ index: 'player', equal: [player, key], limit: 1 })
      return best ?? null
    },
    reached: () => viewReached(deps.views, view, game),
    names: (players) => presentNames(deps, view, players),
  }
  return reader
}

/**
 * Runs a read until ranking and documents agree. If they do not within 5 tries, `byDocuments` answers from the
 * documents alone, which are one consistent state, though some milliseconds older than the ranking. Throws 503
 * `rankings_filling` while there are no rankings.
 */
export async function agreed<Result>(
  read: () => Promise<Result | null>,
  byDocuments: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const result = await read().catch(refuseWhereLost)
    if (result !== null) return result
    await yieldToEventLoop()
  }
  return byDocuments().catch(refuseWhereLost)
}

/** Refuses to answer while the rankings are being filled, because answers would be wrong. */
export function refuseWhereLost(error: unknown): never {
  if (!(error instanceof RankingsLost)) throw error
  const detail = 'The rankings are being rebuilt from the recorded entries. Retry in a moment.'
  throw new Refusal('unavailable', 'rankings_filling', detail, { retry_after: 1 })
}

/** Each entry with its rank, or null if one of them is not ranked. O(k log n). */
export async function withRanks(reader: Reader, entries: readonly Entry[]): Promise<Ranked[] | null> {
  const members = entries.map(({ member }) => member)
  const ranks = members.length === 0 ? [] : await reader.rankings.ranks(reader.key, members)
  const result: Ranked[] = []
  for (const [i, entry] of entries.entries()) {
    const index = ranks[i] ?? null
    if (index === null) return null
    result.push({ entry, rank: index + 1 })
  }
  return result
}

/**
 * Pages of every entry that exists throughout the read, from worst to best, between two members. Pages, and in some
 * stores parts of a page, are read at different moments. But an entry can only move up, by a better submission, so in
 * this order it cannot move to where the read has already been. An entry may appear twice: the last appearance counts.
 * O(n).
 */
export async function* risingPages(
  reader: Reader,
  slices: TimeSlices,
  { from, until: end }: Pick<Find, 'from' | 'until'> = {},
): AsyncGenerator<readonly Entry[]> {
  const lower = from === undefined ? {} : { from }
  for (let until = end; ; ) {
    const upper = until === undefined ? {} : { until }
    const bounds = { ...lower, ...upper, reverse: true, limit: PAGE }
    const page = await reader.find({ index: 'rank', equal: [reader.key], ...bounds })
    yield page
    if (page.length < PAGE) return
    until = page.at(-1)?.member
    await slices.yieldIfDue()
  }
}
