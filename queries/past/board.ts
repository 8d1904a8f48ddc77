// A board as it was at an instant: folded from its history up to the instant's cut (`cuts.ts`), without players who
// were deleted since. Nothing else changes it.

import { type Position, recordedAt, unsafeCast } from '../../domain/event.ts'
import { boardStream, type LeaderboardEvent, leaderboard } from '../../domain/leaderboard.ts'
import { BoardFold } from '../../ranking/board-fold/board-fold.ts'
import { rankingKey } from '../../ranking/key.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { unopened } from '../../stores/support/history-pages.ts'
import { checkBoardMemory } from '../check-board-memory.ts'
import type { Board } from '../leaderboard.ts'
import { absencesReached, banChanges, bannedBy, deletedPlayers } from './absences.ts'
import type { FoldingDeps, PastDeps } from './deps.ts'
import { eventsOf, isScore, settle, streamUpTo } from './reading.ts'
import { Times } from './times.ts'

/**
 * Maximum number of one player's entries that change in one step. With more, the board is folded again, so that no
 * reader sees a partial change.
 */
const MAX_CHANGED_AT_ONCE = 500
/** Estimated bytes of a board without entries. */
const BYTES_EMPTY = 4_096

/** The banned players of a board, and the position up to which the deleted ones are known and left out. */
interface Absent {
  readonly banned: Iterable<string>
  readonly upTo: Position | null
}

/** The board must be discarded and folded again. */
export class Outdated extends Error {}

export class PastBoard {
  readonly fold: BoardFold
  /** The ranking key in its entries. */
  readonly key: string
  /** Its name, description and rules as of the instant. */
  readonly board: Board
  /** The position up to which events belong to it. */
  readonly cut: Position
  /** Position up to which deletions of players are applied. */
  #absentUpTo: Position | null
  #times: { readonly changes: number; readonly made: Times } | null = null
  /** Called when it needs more memory. */
  onGrowth: () => void = () => {}
  readonly #deps: FoldingDeps

  constructor(deps: FoldingDeps, board: Board, cut: Position, absent: Absent) {
    this.#deps = deps
    this.board = board
    this.cut = cut
    this.key = `${rankingKey(board.id, board.generation)}@${cut}`
    this.fold = new BoardFold(board.state.rules, { hidden: absent.banned })
    this.#absentUpTo = absent.upTo
  }

  get bytes(): number {
    return BYTES_EMPTY + this.fold.bytes + (this.#times?.made.bytes ?? 0)
  }

  /** Its entries by time; built on first use, and again after any was removed. O(n), then O(1). */
  async times(slices: TimeSlices): Promise<Times> {
    const { changes } = this.fold
    if (this.#times?.changes === changes) return this.#times.made
    const made = await Times.of(this.fold, slices)
    this.#times = { changes, made }
    this.onGrowth()
    return made
  }

  /** Applies its history, except for these players. Throws 422 `board_too_large`; the board is then unusable. */
  async read(deleted: ReadonlySet<string>, slices: TimeSlices): Promise<void> {
    const { log, queries, bytesOfFold } = this.#deps
    const range = { after: null, last: this.cut }
    for await (const page of eventsOf(unopened(queries.history), this.board.id, range, slices)) {
      for (const event of page) {
        const player = event.meta.player ?? ''
        if (!isScore(event) || deleted.has(player)) continue
        this.fold.take(event, player)
        if (slices.due) await slices.yieldIgnoringAbort()
      }
      checkBoardMemory(this.fold.bytes, bytesOfFold)
    }
    await settle(this.fold, log, slices)
    checkBoardMemory(this.fold.bytes, bytesOfFold)
  }

  /** Removes players who were deleted since. Throws Outdated. */
  async refresh(): Promise<void> {
    const { queries } = this.#deps
    const { game } = this.board
    const after = this.#absentUpTo
    // Read the position first: everything up to it is then there.
    const upTo = await absencesReached(queries, game)
    if (upTo === after) return
    const gone = await deletedPlayers(queries, game, after)
    if (gone.some((player) => this.fold.hasMore(player, MAX_CHANGED_AT_ONCE))) throw new Outdated()
    // No await from here on, so that concurrent readers see all of it or nothing.
    for (const player of gone) this.fold.remove(player)
    if (upTo !== null && upTo > (this.#absentUpTo ?? '')) this.#absentUpTo = upTo
  }
}

/** The leaderboard up to a position, or null if it did not exist yet. */
export async function boardAt({ log }: PastDeps, { id, game }: Board, position: Position): Promise<Board | null> {
  let state = leaderboard.initial
  for (const event of await streamUpTo(log, boardStream(id), position)) {
    state = leaderboard.evolve(state, unsafeCast<LeaderboardEvent>(event), recordedAt(event))
  }
  return state === null ? null : { id, game, generation: state.generation, state }
}

/** Folds a board up to a position, with its rules at that position. O(history). */
export async function foldBoard(
  deps: FoldingDeps,
  board: Board,
  cut: Position,
  slices: TimeSlices,
): Promise<PastBoard> {
  const { queries } = deps
  const { game } = board
  const upTo = await absencesReached(queries, game)
  const deleted = new Set(await deletedPlayers(queries, game, null))
  const banned = bannedBy(await banChanges(queries, { game }, cut))
  const past = new PastBoard(deps, board, cut, { banned, upTo })
  await past.read(deleted, slices)
  await slices.all(past.fold.rank())
  // Check again with the rank order, as when the board is read later.
  checkBoardMemory(past.fold.bytes, deps.bytesOfFold)
  return past
}
