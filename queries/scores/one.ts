// Finds one score by its id, and the rank of an entry that was just written.

import type { Rules } from '../../domain/board-rules.ts'
import type { Position } from '../../domain/event.ts'
import { sortKeyOf } from '../../ranking/sort-key.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import { areRankingsOut } from '../../stores/contract/rankings.ts'
import type { Document } from '../../stores/contract/views.ts'
import type { QueryDeps } from '../deps.ts'
import { type Board, findBoard, type RankedBoard } from '../leaderboard.ts'
import { BoardReader } from './board-reader.ts'
import { asEntry, type Entry, isShown } from './entry.ts'
import type { Reader } from './reader.ts'

const TRIES = 5
const MAX_GENERATIONS = 1_000

/**
 * An entry of the active generation on a board of the game, with that board; or null. A hidden entry only with
 * `hiddenToo`.
 */
export async function findScore(
  deps: QueryDeps,
  id: string,
  game: string | null,
  hiddenToo = false,
): Promise<{ readonly entry: Entry; readonly board: Board } | null> {
  /** Board -> active generation, read after the documents. */
  let active: ReadonlyMap<string, number> = new Map()
  for (let attempt = 1; ; attempt++) {
    const now = new Map<string, number>()
    for await (const entry of entriesOf(deps, id, hiddenToo)) {
      const board = await findBoard(deps, entry.board)
      if (board === null || board.game !== game) continue
      if (board.generation === entry.generation) return { entry, board }
      now.set(entry.board, board.generation)
    }
    // A new generation may have become active between the reads: then one was read too early, the other too late.
    const hasMoved = [...now].some(([board, generation]) => generation !== active.get(board))
    if (!hasMoved || attempt === TRIES) return null
    active = now
  }
}

/** The entries of a score in all generations, read on demand. */
async function* entriesOf(deps: QueryDeps, id: string, hiddenToo: boolean): AsyncGenerator<Entry> {
  const view = deps.viewKey('entries')
  // The document id of a unique board's entry is never a score id.
  const isIt = (document: Document) => document.body.id === id && (hiddenToo || isShown(document))
  // If each submission is an entry, a first-generation document has the score's own id; all others are found by the
  // index.
  const [own = null] = await deps.views.get(view, 'entries', [id])
  if (own !== null && isIt(own)) yield asEntry(own)
  const others = { view, collection: 'entries', index: 'lookup', equal: [id], limit: MAX_GENERATIONS }
  for (const document of await deps.views.find(others)) if (isIt(document)) yield asEntry(document)
}

/** What a sort key has of an entry, besides the position. */
export type RankedEntry = Pick<Entry, 'id' | 'player' | 'score' | 'secondary' | 'updated'>

/**
 * An entry just written, and the submission that it shows. Where each submission is an entry, its own is counted as this
 * one: a view that is behind may still have the rules before a change to unique.
 */
export interface RankedSubmission {
  readonly entry: RankedEntry
  readonly shown: { readonly id: string; readonly position: Position }
}

/**
 * The ranks of entries just written, each counted in the current ranking with this entry in place of the player's own: on
 * a unique board, another entry of the player in the ranking does not count. Null if no store can answer now: the write
 * is acknowledged all the same.
 */
export async function ranksOf(
  deps: QueryDeps,
  board: Board,
  submissions: readonly RankedSubmission[],
): Promise<(number | null)[]> {
  const reader = new BoardReader(deps, board)
  const sortKeys = submissions.map((one) => sortKeyIn(reader.rules, one))
  const found = reader.rules.unique ? await ranksInPlace(reader, sortKeys) : null
  if (found?.every((rank) => rank !== null)) return found
  return Promise.all(
    submissions.map(({ entry }, nth) => found?.[nth] ?? rankOf(reader, entry.player, sortKeys[nth] as string)),
  )
}

function sortKeyIn(rules: Rules, { entry, shown }: RankedSubmission): string {
  const { id, score, secondary, updated } = entry
  const ranked = { score, secondary, position: shown.position, time: updated }
  return sortKeyOf(ranked, rules.unique ? id : shown.id, rules)
}

/**
 * The usual case, without a document: on a unique board, a sort key in the ranking is the player's only one. Null in place
 * of others; null if the rankings cannot answer.
 */
async function ranksInPlace(reader: Reader, sortKeys: readonly string[]): Promise<(number | null)[] | null> {
  try {
    const ranks = await reader.rankings.ranks(reader.key, sortKeys)
    return ranks.map((rank) => (rank === null ? null : rank + 1))
  } catch (error) {
    if (areRankingsOut(error)) return null
    throw error
  }
}

/** Null if no store can answer now. */
const rankOf = (reader: Reader, player: string, sortKey: string): Promise<number | null> =>
  rankIn(reader, player, sortKey).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return null
    throw error
  })

/** A player's best entry and its rank; both null if they have none, it is hidden, or no store can answer now. */
export async function bestWithRank(
  deps: QueryDeps,
  board: RankedBoard,
  player: string,
): Promise<{ readonly best: Entry | null; readonly rank: number | null }> {
  const reader = new BoardReader(deps, board)
  try {
    for (let attempt = 1; ; attempt++) {
      const best = await reader.bestOf(player)
      if (best === null) return { best, rank: null }
      const [inPlace = null] = (reader.rules.unique && (await ranksInPlace(reader, [best.member]))) || []
      if (inPlace !== null) return { best, rank: inPlace }
      const rank = await rankIn(reader, player, best.member)
      // A better entry of the player may have come between the two reads, and counts before this one.
      if (attempt === TRIES || (await reader.bestOf(player))?.member === best.member) return { best, rank }
    }
  } catch (error) {
    if (error instanceof StoreUnavailable) return { best: null, rank: null }
    throw error
  }
}

/** Counts documents while the rankings cannot answer. */
const rankIn = (reader: Reader, player: string, sortKey: string): Promise<number> =>
  rankAmongRanked(reader, player, sortKey).catch((error: unknown) => {
    if (areRankingsOut(error)) return rankAmongDocuments(reader, player, sortKey)
    throw error
  })

async function rankAmongRanked(reader: Reader, player: string, sortKey: string): Promise<number> {
  if (!reader.rules.unique) return (await reader.rankings.before(reader.key, sortKey)) + 1
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const rank = await rankWithoutOwn(reader, player, sortKey)
    if (rank !== null) return rank
    await yieldToEventLoop()
  }
  return rankAmongDocuments(reader, player, sortKey)
}

/**
 * Counts the rank in the documents' index, if the rankings are being filled or do not agree with the documents.
 * O(n).
 */
async function rankAmongDocuments(reader: Reader, player: string, sortKey: string): Promise<number> {
  const { deps, key, rules } = reader
  const view = deps.viewKey('entries')
  const find = { view, collection: 'entries', index: 'rank', equal: [key], until: sortKey }
  for (let attempt = 1; ; attempt++) {
    const own = rules.unique ? await reader.bestOf(player) : null
    const before = await deps.views.count({ ...find, limit: Number.MAX_SAFE_INTEGER })
    const ownStays = !rules.unique || (await reader.bestOf(player))?.member === own?.member
    if (ownStays || attempt === TRIES) return own !== null && own.member < sortKey ? before : before + 1
  }
}

/** Null while the ranking does not have the player's entry of the view. */
async function rankWithoutOwn(reader: Reader, player: string, sortKey: string): Promise<number | null> {
  const { rankings } = reader
  // The usual case, without a document: on a unique board, this sort key is the player's only one.
  const [own = null] = await rankings.ranks(reader.key, [sortKey])
  if (own !== null) return own + 1
  const stored = await reader.bestOf(player)
  if (stored === null) return null
  // Read the rank of the stored entry last: if it exists now, it existed when the others were counted.
  const before = stored.member === sortKey ? null : await rankings.before(reader.key, sortKey)
  const [index = null] = await rankings.ranks(reader.key, [stored.member])
  if (index === null || before === null) return index === null ? null : index + 1
  return stored.member < sortKey ? before : before + 1
}
