// Computes from a leaderboard's history what other rules would do to it, without changing anything. The history is
// folded under both sets of rules at once, page by page, yielding in between. If a deletion cannot be decided from the
// entry it concerns, the history is read a second time without what was deleted; players' streams are never read,
// because there may be as many as players.

import type { Rules } from '../domain/board-rules.ts'
import type { Decimal } from '../domain/decimal.ts'
import type { Position, StoredEvent } from '../domain/event.ts'
import { BoardFold } from '../ranking/board-fold/board-fold.ts'
import { scoresOfSortKey } from '../ranking/sort-key.ts'
import type { TimeSlices } from '../runtime/time-slices.ts'
import { historyPages, unopened, upTo } from '../stores/support/history-pages.ts'
import { checkBoardMemory } from './check-board-memory.ts'
import type { QueryDeps } from './deps.ts'
import type { Board } from './leaderboard.ts'
import { byDistance, type Mover, sortedMovers } from './movers.ts'
import { isScore } from './past/reading.ts'
import { presentPlayers } from './present-players.ts'

const PAGE = 500
/** Entries compared per step, and estimated bytes of a player besides them. */
const RUN = 500
const PLAYER_BYTES = 120
/** Estimated bytes of a player that moves, while they are sorted and then packed (`packed-movers.ts`). */
const MOVER_BYTES = 120
/** Estimated bytes per entry during a sort: its slot and its key, twice. */
const SORT_BYTES = 24

/** What other rules would do to a board. */
export interface RuleEffect {
  readonly entriesBefore: number
  readonly entriesAfter: number
  /** All players that move, the biggest move first. */
  readonly movers: readonly Mover[]
  /** How many of them have no rank before, and none after. */
  readonly entered: number
  readonly left: number
  /** The first entries, at most `PODIUM`. */
  readonly podiumBefore: readonly Placed[]
  readonly podiumAfter: readonly Placed[]
}

/** A player at a place of the podium. */
export interface Placed {
  readonly player: string
  readonly score: Decimal
  readonly secondary: Decimal | null
}

const PODIUM = 3

export interface PreviewRequest {
  readonly board: Board
  readonly rules: Rules
  /** The position up to which the history is complete; null if there is none yet. */
  readonly upTo: Position | null
  /** Maximum bytes of the preview. */
  readonly maxBytes: number
  readonly slices: TimeSlices
}

/**
 * O(history), which is read at most twice. The effect is as of the moment it begins, except for bans, which are read
 * during it. Throws 422 `board_too_large`, and the signal's reason.
 */
export async function effectOfRules(deps: QueryDeps, request: PreviewRequest): Promise<RuleEffect> {
  const folds = await foldBoth(deps, request)
  await rankBoth(folds, request)
  const [before, after] = folds
  return {
    entriesBefore: before.ranked.size,
    entriesAfter: after.ranked.size,
    ...(await compare(folds, request)),
    podiumBefore: podiumOf(before),
    podiumAfter: podiumOf(after),
  }
}

const podiumOf = (board: BoardFold): Placed[] =>
  board.at(0, PODIUM).flatMap(({ player, sortKey }) => {
    if (sortKey === null) return []
    const { score, secondary } = scoresOfSortKey(sortKey, board.rules)
    return [{ player, score, secondary }]
  })

type Folds = readonly [before: BoardFold, after: BoardFold]

const newFolds = ({ board, rules }: PreviewRequest): Folds => [new BoardFold(board.state.rules), new BoardFold(rules)]

/** Folds the board under both sets of rules, without ranking. */
async function foldBoth(deps: QueryDeps, request: PreviewRequest): Promise<Folds> {
  const hidden = new Map<string, boolean>()
  const deletions = new Deletions()
  const check = (folds: readonly BoardFold[]) =>
    checkBoardMemory(bytesOf(folds) + hidden.size * PLAYER_BYTES + deletions.bytes, request.maxBytes)
  let folds: Folds | null = newFolds(request)
  // Only on a unique board can a deletion need more than the entry.
  const mayNeedDeletions = folds.some(({ rules }) => rules.unique)
  for await (const page of pagesOf(deps, request)) {
    if (mayNeedDeletions) for (const event of page) deletions.note(event)
    if (folds !== null) await take(deps, request, { folds, hidden }, page)
    if (folds?.some(({ isUnsettled }) => isUnsettled)) folds = null
    check(folds ?? [])
  }
  if (folds !== null) return folds

  const again = newFolds(request)
  await request.slices.yield()
  for await (const page of pagesOf(deps, request)) {
    const left = page.filter((event) => deletions.keeps(event))
    await take(deps, request, { folds: again, hidden }, left)
    check(again)
  }
  return again
}

/** One after the other: each sort needs memory of its own. */
async function rankBoth(folds: Folds, { slices, maxBytes }: PreviewRequest): Promise<void> {
  for (const one of folds) {
    checkBoardMemory(bytesOf(folds) + one.rows.length * SORT_BYTES, maxBytes)
    await slices.all(one.rank())
    checkBoardMemory(bytesOf(folds), maxBytes)
  }
}

const bytesOf = (folds: readonly BoardFold[]): number => folds.reduce((sum, { bytes }) => sum + bytes, 0)

/** Submissions and deletions in pages, the same on each call: later events are left out. */
async function* pagesOf({ history }: QueryDeps, { board, upTo: last, slices }: PreviewRequest) {
  const read = { isIn: upTo(last ?? ''), limit: PAGE }
  for await (const page of historyPages(unopened(history), { board: board.id }, read, () => slices.yield())) {
    yield page.filter(isScore)
  }
}

interface Taking {
  readonly folds: Folds
  /** Player -> hidden; filled as events name players. */
  readonly hidden: Map<string, boolean>
}

/** Applies the events to both folds, except those of banned or deleted players. */
async function take(
  deps: QueryDeps,
  { slices }: PreviewRequest,
  { folds, hidden }: Taking,
  events: readonly StoredEvent[],
): Promise<void> {
  await noteHidden(deps, events, hidden)
  for (const event of events) {
    const { player = '' } = event.meta
    if (hidden.get(player) !== false) continue
    for (const one of folds) one.take(event, player)
    if (slices.due) await slices.yield()
  }
}

/** Reads the current visibility of players: banned and deleted ones are left out of every answer. */
async function noteHidden(deps: QueryDeps, events: readonly StoredEvent[], hidden: Map<string, boolean>) {
  const unknown = [...new Set(events.map(({ meta }) => meta.player ?? ''))].filter((player) => !hidden.has(player))
  if (unknown.length === 0) return
  const present = await presentPlayers(deps, deps.viewKey('entries'), unknown)
  for (const [i, player] of unknown.entries()) hidden.set(player, present[i]?.isShown !== true)
}

/** All players that move, the biggest move first, and how many of them enter and leave. */
async function compare([before, after]: Folds, { slices, maxBytes }: PreviewRequest) {
  const movers: Mover[] = []
  let [entered, left] = [0, 0]
  const compareRank = (mover: Mover) => {
    if (mover.before === mover.after) return
    movers.push(mover)
    if (mover.before === null) entered++
    if (mover.after === null) left++
  }
  for (const [player, rank] of bestRanks(before)) {
    compareRank({ player, before: rank, after: rankOf(after, player) })
    await slices.yieldIfDue()
  }
  for (const [player, rank] of bestRanks(after)) {
    if (rankOf(before, player) === null) compareRank({ player, before: null, after: rank })
    await slices.yieldIfDue()
  }
  checkBoardMemory(bytesOf([before, after]) + movers.length * MOVER_BYTES, maxBytes)
  const order = byDistance(Math.max(before.ranked.size, after.ranked.size))
  return { movers: await sortedMovers(movers, order, slices), entered, left }
}

/** Each player with the rank of their best entry, from 1. */
function* bestRanks(board: BoardFold): Generator<readonly [player: string, rank: number]> {
  for (let from = 0; from < board.ranked.size; from += RUN) {
    for (const [i, slot] of board.ranked.range(from, RUN).entries()) {
      const [player, rank] = [board.rows.player(slot), from + i + 1]
      if (board.rules.unique || board.bestOf(player) === slot) yield [player, rank]
    }
  }
}

/** The rank from 1; null if the player has no entry. O(log n). */
function rankOf(board: BoardFold, player: string): number | null {
  const slot = board.bestOf(player)
  return slot === -1 ? null : board.before(board.rows.sortKey(slot)) + 1
}

// The deletions in a board's history, so that a second pass over it can skip what they removed.

/** Estimated bytes of an id or a player besides its text. */
const KEY_BYTES = 100

class Deletions {
  /** Deleted single submissions: player and id. */
  readonly #ids = new Set<string>()
  /** Player -> revision of the last deletion of all of their submissions. */
  readonly #from = new Map<string, number>()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** Records an event if it is a deletion; ignores all others. */
  note({ type, data, meta: { player = '' }, revision }: StoredEvent): void {
    if (type !== 'ScoreDeleted') return
    const size = this.#ids.size + this.#from.size
    const key = data.upTo === null ? keyOf(player, data.id) : player
    if (data.upTo === null) this.#ids.add(key)
    else this.#from.set(key, revision)
    if (this.#ids.size + this.#from.size > size) this.#bytes += KEY_BYTES + key.length
  }

  /** Whether an event is a submission that no recorded deletion removed. */
  keeps({ type, data, meta: { player = '' }, revision }: StoredEvent): boolean {
    if (type !== 'ScoreSubmitted' || revision < (this.#from.get(player) ?? 0)) return false
    return !this.#ids.has(keyOf(player, data.id))
  }
}

/** Player ids have no spaces. */
const keyOf = (player: string, id: unknown): string => `${player} ${String(id)}`
