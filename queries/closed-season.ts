// The ranking of a closed season as it was at its closing, whatever was hidden or deleted since: the rank that each
// entry had, and the standing that is recorded. The present ranking has the entries that are shown now; the one at
// closing also has those that are hidden or deleted since (absent), and not those that were hidden then (added).

import type { Rules } from '../domain/board-rules.ts'
import { type Position, unsafeCast } from '../domain/event.ts'
import { FIRST_NUMBERING, recordOf } from '../domain/season-records.ts'
import { type SeasonStanding, STANDING_FIRST } from '../domain/seasons.ts'
import { absentFrom, addedTo, playersKey, rankingKey, seasonKey } from '../ranking/key.ts'
import { fieldsOfSortKey } from '../ranking/sort-key.ts'
import type { Document, Find } from '../stores/contract/views.ts'
import type { QueryDeps } from './deps.ts'
import type { Ranked } from './scores/entry.ts'
import { readSeasons, seasonsOfBoard } from './seasons.ts'

const ALL = Number.MAX_SAFE_INTEGER
/** Bans and deletions that are applied during a read of a standing are few. */
const TRIES = 20
/** Entries per read. */
const PAGE = 100
/** Most differences between the rows of a page that are read at once; of more, those between two rows are counted. */
export const READ_AT_ONCE = 500

/** How the entries of a season differ from those at its closing. Equal ones: no entry was changed in between. */
export interface Differences {
  /** The position of the newest event that hid, showed or deleted an entry since; null: there was none. */
  readonly changedAt: Position | null
  /** How many are hidden or deleted since. */
  readonly absent: number
  /** How many are shown that were hidden then. */
  readonly added: number
}

// One event may change many entries in several writes: the counts tell these apart.
export const areSame = (a: Differences, b: Differences): boolean =>
  a.changedAt === b.changedAt && a.absent === b.absent && a.added === b.added

/** A ranking of a closed season: of its entries or of its players. */
export interface ClosedRanking {
  readonly deps: QueryDeps
  readonly board: string
  readonly season: number
  /** Of the ranking. */
  readonly key: string
}

export async function differencesOf(of: ClosedRanking): Promise<Differences> {
  const { views } = of.deps
  const changed = changesOf(of, 'changed')
  // Most closed seasons have none: one read finds that, and costs less than that of a document.
  if ((await views.count({ ...changed, limit: 1 })) === 0) return { changedAt: null, absent: 0, added: 0 }
  const [[newest], absent, added] = await Promise.all([
    views.find({ ...changed, reverse: true, limit: 1 }),
    views.count({ ...differing(of, absentFrom), limit: ALL }),
    views.count({ ...differing(of, addedTo), limit: ALL }),
  ])
  return { changedAt: unsafeCast<Position | null>(newest?.body.changedAt ?? null), absent, added }
}

/**
 * The ranks at closing of rows of the present ranking, in their order; null for an entry that was hidden then.
 * O(differences before the last of the rows), in the index of the store: a few reads, unless very many differences are
 * between the rows.
 */
export async function finalRanks(
  of: ClosedRanking,
  rows: readonly Ranked[],
  { absent, added }: Differences,
): Promise<(number | null)[]> {
  const sortKeys = rows.map(({ entry }) => entry.member).sort()
  const [absentBefore, addedBefore] = await Promise.all([
    absent === 0 ? NONE_BEFORE : differencesBefore(of, absentFrom, sortKeys),
    added === 0 ? NONE_BEFORE : differencesBefore(of, addedTo, sortKeys),
  ])
  return rows.map(({ entry: { member }, rank }) => {
    if (addedBefore.own.has(member)) return null
    return rank + (absentBefore.counts.get(member) ?? 0) - (addedBefore.counts.get(member) ?? 0)
  })
}

/** By the sort keys of a page: how many differences are before each, and which are one themselves. */
interface DifferencesBefore {
  readonly counts: ReadonlyMap<string, number>
  readonly own: ReadonlySet<string>
}

const NONE_BEFORE: DifferencesBefore = { counts: new Map(), own: new Set() }

/** `sortKeys`: ascending. */
async function differencesBefore(
  of: ClosedRanking,
  as: (ranking: string) => string,
  sortKeys: readonly string[],
): Promise<DifferencesBefore> {
  const { views } = of.deps
  const [first, last] = [sortKeys[0], sortKeys.at(-1)]
  if (first === undefined || last === undefined) return NONE_BEFORE
  const query = differing(of, as)
  const [before, within] = await Promise.all([
    views.count({ ...query, until: first, limit: ALL }),
    // A sort key is printable ASCII: nothing is between the last one and this.
    views.find({ ...query, from: first, until: `${last} `, limit: READ_AT_ONCE + 1 }),
  ])
  const keys = within.map(({ body }) => String(body.differsKey))
  if (keys.length > READ_AT_ONCE) return countedBetween(of, query, sortKeys, before)
  const counts = new Map<string, number>()
  let at = 0
  for (const sortKey of sortKeys) {
    while (at < keys.length && (keys[at] as string) < sortKey) at++
    counts.set(sortKey, before + at)
  }
  return { counts, own: new Set(keys) }
}

/** One count for each sort key. `before`: the differences before the first. */
async function countedBetween(
  { deps: { views } }: ClosedRanking,
  query: Omit<Find, 'limit'>,
  sortKeys: readonly string[],
  before: number,
): Promise<DifferencesBefore> {
  const [own, between] = await Promise.all([
    views.find({ ...query, among: sortKeys, limit: sortKeys.length }),
    Promise.all(
      sortKeys.slice(1).map((until, at) => views.count({ ...query, from: sortKeys[at] as string, until, limit: ALL })),
    ),
  ])
  const counts = new Map<string, number>()
  let sum = before
  for (const [at, sortKey] of sortKeys.entries()) {
    if (at > 0) sum += between[at - 1] ?? 0
    counts.set(sortKey, sum)
  }
  return { counts, own: new Set(own.map(({ body }) => String(body.differsKey))) }
}

/** All entries of the season that were changed since, by an index. */
function changesOf({ deps, board, season }: ClosedRanking, index: 'differing' | 'changed'): Omit<Find, 'limit'> {
  const equal = [seasonKey(board, FIRST_NUMBERING, season)]
  return { view: deps.viewKey('entries'), collection: 'entries', index, equal }
}

/** Those that differ in one way, in rank order. */
function differing(of: ClosedRanking, as: (ranking: string) => string): Omit<Find, 'limit'> {
  const query = changesOf(of, 'differing')
  return { ...query, equal: [...query.equal, as(of.key)] }
}

/** An entry at closing. */
interface Placed {
  readonly player: string
  readonly sortKey: string
}

/**
 * What a closed season ended with. Reads documents and not the rankings, which may be of another moment, and repeats
 * that if entries were hidden, shown or deleted meanwhile.
 */
export async function standingAtClosing(
  deps: QueryDeps,
  { board, season }: { readonly board: string; readonly season: number },
): Promise<SeasonStanding> {
  const head = await seasonsOfBoard(deps, board)
  const closed = head && (await readSeasons(deps, board, head, (seasons) => recordOf(seasons, season)?.closed))
  if (closed == null) throw new Error(`season ${season} of ${board} is not closed`)
  const { generation, rules } = closed
  const entries = { deps, board, season, key: rankingKey(board, generation, season) }
  const players = { ...entries, key: playersKey(board, generation, season) }
  for (let attempt = 1; ; attempt++) {
    const before = await differencesOf(entries)
    const size = await sizeAtClosing(entries, before)
    const standing = {
      players: rules.unique ? size : await sizeAtClosing(players, await differencesOf(players)),
      entries: size,
      first: (await firstAtClosing(entries)).map((placed) => scored(placed, rules)),
    }
    if (areSame(before, await differencesOf(entries))) return standing
    if (attempt === TRIES) throw new Error(`the entries of season ${season} of ${board} change too often`)
  }
}

async function sizeAtClosing({ deps, key }: ClosedRanking, { absent, added }: Differences): Promise<number> {
  return (await deps.views.count({ ...ranked(deps, key), limit: ALL })) + absent - added
}

/** At most `STANDING_FIRST`, best first. */
async function firstAtClosing(of: ClosedRanking): Promise<readonly Placed[]> {
  const absent = await of.deps.views.find({ ...differing(of, absentFrom), limit: STANDING_FIRST })
  const all = [...(await firstShown(of)), ...absent.map((one) => placed(one, 'differsKey'))]
  return all.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1)).slice(0, STANDING_FIRST)
}

/** Those of the best entries that are shown now too. */
async function firstShown({ deps, key }: ClosedRanking): Promise<readonly Placed[]> {
  const found: Placed[] = []
  for (let after: string | null = null; ; ) {
    const page: Document[] = await deps.views.find({
      ...ranked(deps, key),
      ...(after !== null && { after }),
      limit: PAGE,
    })
    found.push(...page.filter(({ body }) => body.hiddenAtClosing !== true).map((one) => placed(one, 'member')))
    if (page.length < PAGE || found.length >= STANDING_FIRST) return found.slice(0, STANDING_FIRST)
    after = String(page.at(-1)?.body.member)
  }
}

const ranked = ({ viewKey }: QueryDeps, key: string): Omit<Find, 'limit'> => ({
  view: viewKey('entries'),
  collection: 'entries',
  index: 'rank',
  equal: [key],
})

const placed = ({ body }: Document, sortKey: 'member' | 'differsKey'): Placed => ({
  player: String(body.player),
  sortKey: String(body[sortKey]),
})

const scored = ({ player, sortKey }: Placed, rules: Rules) => ({
  player,
  score: fieldsOfSortKey(sortKey, rules).score,
})
