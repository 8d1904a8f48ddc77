// One score by its id, and where an entry just written ranks.

import { memberOf } from '../../ranking/member.ts'
import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts'
import { StoreAway } from '../../stores/contract/faults.ts'
import { areRankingsOut } from '../../stores/contract/rankings.ts'
import type { Document } from '../../stores/contract/views.ts'
import type { QueryDeps } from '../deps.ts'
import { type Board, findBoard } from '../leaderboard.ts'
import { readerOf } from './board.ts'
import { asEntry, type Entry, isShown } from './entry.ts'
import type { Reader } from './reader.ts'

const TRIES = 5
const GENERATIONS_MOST = 1_000

/** An entry that stands on a board of the game, and that board; null otherwise. One that is hidden only where it is asked for. */
export async function findScore(
  deps: QueryDeps,
  id: string,
  game: string | null,
  hiddenToo = false,
): Promise<{ readonly entry: Entry; readonly board: Board } | null> {
  /** Board -> the generation in force, as it was found after the documents were read. */
  let inForce: ReadonlyMap<string, number> = new Map()
  for (let attempt = 1; ; attempt++) {
    const now = new Map<string, number>()
    for await (const entry of entriesOf(deps, id, hiddenToo)) {
      const board = await findBoard(deps, entry.board)
      if (board === null || board.game !== game) continue
      if (board.generation === entry.generation) return { entry, board }
      now.set(entry.board, board.generation)
    }
    // Between two reads another generation may have come in force: then one was read too early, the other too late.
    const hasMoved = [...now].some(([board, generation]) => generation !== inForce.get(board))
    if (!hasMoved || attempt === TRIES) return null
    inForce = now
  }
}

/** What stands for a score in each generation there is, read as it is asked for. */
async function* entriesOf(deps: QueryDeps, id: string, hiddenToo: boolean): AsyncGenerator<Entry> {
  const view = deps.viewKey('entries')
  // A unique board's document has an id of its own, which is nobody's score id.
  const isIt = (document: Document) => document.body.id === id && (hiddenToo || isShown(document))
  // Where each submission is an entry, the first generation's has the score's own id; all others are found by it.
  const [own = null] = await deps.views.get(view, 'entries', [id])
  if (own !== null && isIt(own)) yield asEntry(own)
  const others = { view, collection: 'entries', index: 'lookup', equal: [id], limit: GENERATIONS_MOST }
  for (const document of await deps.views.find(others)) if (isIt(document)) yield asEntry(document)
}

/** The part of an entry that decides its place. */
export type RankedEntry = Pick<Entry, 'id' | 'player' | 'score' | 'secondary' | 'updated'>

/**
 * The rank of a player's best entry as the present ranking has it, counted with this entry laid over it: where the ranking
 * holds another entry of the player's on a unique board, before or after this one, that one does not count. Null where no
 * store can tell just now: what is recorded is answered all the same.
 */
export async function rankOf(deps: QueryDeps, board: Board, entry: RankedEntry): Promise<number | null> {
  const reader = readerOf(deps, board)
  const { id, player, score, secondary, updated } = entry
  const member = memberOf({ score, secondary, time: updated }, id, reader.rules)
  return rankAmongRanked(reader, player, member)
    .catch((why: unknown) => {
      if (areRankingsOut(why)) return rankAmongDocuments(reader, player, member)
      throw why
    })
    .catch((why: unknown) => {
      if (why instanceof StoreAway) return null
      throw why
    })
}

async function rankAmongRanked(reader: Reader, player: string, member: string): Promise<number> {
  if (!reader.rules.unique) return (await reader.rankings.before(reader.key, member)) + 1
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const rank = await rankBesideOwn(reader, player, member)
    if (rank !== null) return rank
    await yieldToEventLoop()
  }
  return rankAmongDocuments(reader, player, member)
}

/**
 * What is recorded is answered for, also where the rankings are being filled or do not come to agree with the documents:
 * counted by the documents' index. O(n).
 */
async function rankAmongDocuments(reader: Reader, player: string, member: string): Promise<number> {
  const { deps, key, rules } = reader
  const view = deps.viewKey('entries')
  const find = { view, collection: 'entries', index: 'rank', equal: [key], until: member }
  for (let attempt = 1; ; attempt++) {
    const own = rules.unique ? await reader.bestOf(player) : null
    const before = await deps.views.count({ ...find, limit: Number.MAX_SAFE_INTEGER })
    const ownStays = !rules.unique || (await reader.bestOf(player))?.member === own?.member
    if (ownStays || attempt === TRIES) return own !== null && own.member < member ? before : before + 1
  }
}

/** Null while the ranking does not hold the entry that the view says is the player's. */
async function rankBesideOwn(reader: Reader, player: string, member: string): Promise<number | null> {
  const { rankings } = reader
  const held = await reader.bestOf(player)
  if (held === null) return null
  // The place of what is held is asked for last: being there now, it was there when the others were counted.
  const before = held.member === member ? null : await rankings.before(reader.key, member)
  const [place = null] = await rankings.ranks(reader.key, [held.member])
  if (place === null || before === null) return place === null ? null : place + 1
  return held.member < member ? before : before + 1
}
