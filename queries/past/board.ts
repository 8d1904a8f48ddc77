// A board as it was at an instant: folded from its history, updated while events of that time may still arrive, and
// without players who were deleted since. Events belong to the instant by their times; the order between streams does
// not matter.

import { type Position, recordedAt, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { boardStream, type LeaderboardEvent, leaderboard } from '../../domain/leaderboard.ts'
import { BoardFold } from '../../ranking/board-fold/board-fold.ts'
import { rankingKey } from '../../ranking/key.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { unopened } from '../../stores/support/history-pages.ts'
import { checkBoardMemory } from '../check-board-memory.ts'
import type { Board } from '../leaderboard.ts'
import { absencesReached, banChanges, bannedBy, deletedPlayers } from './absences.ts'
import type { FoldingDeps, Instant, PastDeps } from './deps.ts'
import { eventsOf, isScore, settle, streamBy } from './reading.ts'
import { Times } from './times.ts'

/** After this long, no more events of an instant arrive: longer than clocks differ and an append is retried. */
const SETTLED_AFTER_MS = 300_000
/**
 * Maximum number of one player's entries that change in one step. With more, the board is folded again, so that no
 * reader sees a partial change.
 */
const MAX_CHANGED_AT_ONCE = 500
/** Estimated bytes of a board without entries. */
const BYTES_EMPTY = 4_096

/** The players left out of a board, and the position up to which they are known. */
interface Absent {
  readonly banned: Iterable<string>
  readonly deleted: Iterable<string>
  readonly upTo: Position | null
}

/** The board must be discarded and folded again. */
export class Outdated extends Error {}

/** @fields The board, the positions it has read up to, and what is derived from it: all are read together. */
export class PastBoard {
  readonly fold: BoardFold
  readonly asOf: string
  /** The ranking key in its entries. */
  readonly key: string
  /** Its name, description and rules as of the instant. */
  board: Board
  /** Position up to which the history is applied. */
  upTo: Position | null = null
  /** Position up to which bans and deletions of players are applied. */
  #absentUpTo: Position | null = null
  /** The deleted players of the game: their later events are skipped. */
  readonly #deleted: Set<string>
  /** Whether the whole history of the instant is applied; and the bans too. */
  #isWhole = false
  #isSettled = false
  #times: { readonly changes: number; readonly made: Times } | null = null
  /** Called when it needs more memory. */
  onGrowth: () => void = () => {}
  readonly #deps: FoldingDeps

  constructor(deps: FoldingDeps, board: Board, asOf: string, absent: Absent) {
    this.#deps = deps
    this.board = board
    this.asOf = asOf
    this.key = `${rankingKey(board.id, board.generation)}@${asOf}`
    this.fold = new BoardFold(board.state.rules, { hidden: absent.banned })
    this.#deleted = new Set(absent.deleted)
    this.#absentUpTo = absent.upTo
  }

  get bytes(): number {
    return BYTES_EMPTY + this.fold.bytes + (this.#times?.made.bytes ?? 0)
  }

  /** Its entries by time; built on first use, and again after any was added or removed. O(n), then O(1). */
  async times(slices: TimeSlices): Promise<Times> {
    const { changes } = this.fold
    if (this.#times?.changes === changes) return this.#times.made
    const made = await Times.of(this.fold, slices)
    this.#times = { changes, made }
    this.onGrowth()
    return made
  }

  /** Whether only deletions of players can still change it. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Whether the log has every event of the instant that it will ever have; views may receive them later. */
  isOver(nowMs: number): boolean {
    return nowMs >= Date.parse(this.asOf) + SETTLED_AFTER_MS
  }

  /**
   * Applies the history up to its current complete position. Throws 422 `board_too_large`; the board is then unusable.
   */
  async readOn(nowMs: number, slices: TimeSlices): Promise<void> {
    const { log, queries, reached } = this.#deps
    const isOver = this.isOver(nowMs)
    const upTo = await reached(this.board.game)
    if (upTo !== null && upTo !== this.upTo) {
      for await (const page of eventsOf(
        unopened(queries.history),
        this.board.id,
        { after: this.upTo, last: upTo },
        slices,
      )) {
        for (const event of page) {
          if (!isScore(event) || event.meta.time > this.asOf || this.#isDeleted(event)) continue
          this.fold.take(event, event.meta.player ?? '')
          if (slices.due) await slices.yieldIgnoringAbort()
        }
        checkBoardMemory(this.fold.bytes, this.#deps.bytesOfFold)
        this.upTo = page.at(-1)?.position ?? this.upTo
      }
      await settle(this.fold, log, slices)
      checkBoardMemory(this.fold.bytes, this.#deps.bytesOfFold)
      this.upTo = upTo
    }
    this.#isWhole = isOver && (await this.#hasAll(upTo))
  }

  /**
   * Whether the history has every event of the instant that the log has: it has the head of the log, or an event long
   * after the instant.
   */
  async #hasAll(upTo: Position | null): Promise<boolean> {
    const { log } = this.#deps
    const head = await log.head()
    if (head === null || (upTo !== null && upTo >= head)) return true
    return upTo !== null && this.#isLater(await log.eventAt(upTo))
  }

  /**
   * The same for bans, up to the view's position: after it the history has no event, or an event long after the
   * instant.
   */
  async #hasAllBans(upTo: Position | null): Promise<boolean> {
    const [next = null] = await unopened(this.#deps.queries.history)({ game: this.board.game }, upTo, 1)
    return next === null || this.#isLater(next)
  }

  #isLater(event: StoredEvent | null): boolean {
    return event !== null && this.isOver(Date.parse(event.meta.time))
  }

  #isDeleted({ meta }: StoredEvent): boolean {
    return this.#deleted.has(meta.player ?? '')
  }

  /** Removes players who were deleted since, and applies new bans. Throws Outdated. */
  async refresh(): Promise<void> {
    const { queries } = this.#deps
    const { game } = this.board
    const after = this.#absentUpTo
    // Read the position first: everything up to it is then there. A settled board needs only deletions.
    const upTo = await absencesReached(queries, game)
    const settles = this.#isWhole && !this.#isSettled && (await this.#hasAllBans(upTo))
    // The view has not changed: nothing to read.
    const isUnchanged = upTo === after
    const gone = isUnchanged ? [] : await deletedPlayers(queries, game, after)
    const bans =
      isUnchanged || this.#isSettled ? [] : await banChanges(queries, { game }, { after, upTo, asOf: this.asOf })
    const concerned = [...gone, ...bans.map(({ player }) => player)]
    if (concerned.some((player) => this.fold.hasMore(player, MAX_CHANGED_AT_ONCE))) throw new Outdated()
    // No await from here on, so that concurrent readers see all of it or nothing.
    for (const { player, banned } of bans) this.fold.show(player, !banned)
    for (const player of gone) {
      this.fold.remove(player)
      if (!this.#isSettled) this.#deleted.add(player)
    }
    if (upTo !== null && upTo > (after ?? '')) this.#absentUpTo = upTo
    // A ban may have been missed if bans were read before the history was complete.
    if (!settles) return
    this.#isSettled = true
    this.#deleted.clear()
  }
}

/** The leaderboard as of an instant, or null if it did not exist yet. */
export async function boardAsOf({ log }: PastDeps, { id, game }: Board, asOf: string): Promise<Board | null> {
  let state = leaderboard.initial
  for (const event of await streamBy(log, boardStream(id), asOf)) {
    state = leaderboard.evolve(state, unsafeCast<LeaderboardEvent>(event), recordedAt(event))
  }
  return state === null ? null : { id, game, generation: state.generation, state }
}

/** Folds a board as of an instant. O(history). */
export async function foldBoard(
  deps: FoldingDeps,
  board: Board,
  { asOf, nowMs }: Pick<Instant, 'asOf' | 'nowMs'>,
  slices: TimeSlices,
): Promise<PastBoard> {
  const { queries } = deps
  const { game } = board
  const absentUpTo = await absencesReached(queries, game)
  const deleted = await deletedPlayers(queries, game, null)
  const banned = bannedBy(await banChanges(queries, { game }, { after: null, upTo: absentUpTo, asOf }))
  const past = new PastBoard(deps, board, asOf, { banned, deleted, upTo: absentUpTo })
  await past.readOn(nowMs, slices)
  await slices.all(past.fold.rank())
  // Check again with the rank order, as when the board is updated later.
  checkBoardMemory(past.fold.bytes, deps.bytesOfFold)
  return past
}
