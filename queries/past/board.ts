// A board as it stood at an instant: folded from its history, kept up while something of that time may still come, and
// without those who were deleted since. Which events there are is decided by their times; so of each stream it is the
// first ones, and in which order those of different streams lie does not matter.

import { BoardFold } from '../../board-fold/board-fold.ts'
import { momentOf, type Position, type StoredEvent, shaped } from '../../domain/event.ts'
import { boardStream, type LeaderboardEvent, leaderboard } from '../../domain/leaderboard.ts'
import { rankingKey } from '../../ranking/key.ts'
import type { TimeSlices } from '../../scheduling/time-slices.ts'
import { unopened } from '../../stores/support/history-pages.ts'
import type { Board } from '../leaderboard.ts'
import { checkFits } from '../too-large.ts'
import { absencesReached, banChanges, bannedBy, deletedPlayers } from './absences.ts'
import type { FoldingDeps, Instant, PastDeps } from './deps.ts'
import { eventsOf, isScore, settle, streamBy } from './reading.ts'
import { Times } from './times.ts'

/** So long after an instant no event of that time comes any more: longer than clocks differ and an append is tried. */
const SETTLED_AFTER_MS = 300_000
/**
 * Maximum of one player's entries that change in one step. With more the board is folded again, so that nobody sees a part.
 */
const AT_ONCE = 500
/** Of a board without entries. */
const BYTES_EMPTY = 4_096

/** Who is to be left out of a board, and up to where that was looked at. */
interface Absent {
  readonly banned: Iterable<string>
  readonly deleted: Iterable<string>
  readonly upTo: Position | null
}

/** The state is unusable: fold it again. */
export class Outdated extends Error {}

/**
 * @fields What the board is of, how far it has read, and what was made of it: each is read beside the others.
 */
export class PastBoard {
  readonly fold: BoardFold
  readonly asOf: string
  /** What its entries say that they are ranked in. */
  readonly key: string
  /** As of the instant: its name, description and rules. */
  board: Board
  /** How far the history is in it. */
  upTo: Position | null = null
  /** How far bans, and deletions of players, were looked at. */
  #absentUpTo: Position | null = null
  /** The players of the game that were deleted by then; what comes of theirs is passed over. */
  readonly #deleted: Set<string>
  /** Whether all of its history is in it that there will be; and the bans too. */
  #isWhole = false
  #isSettled = false
  #times: { readonly changes: number; readonly made: Times } | null = null
  /** Told when it takes more memory. */
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

  /** Its entries by time; made when first asked for, and anew where any came or went since. O(n), then O(1). */
  async times(slices: TimeSlices): Promise<Times> {
    const { changes } = this.fold
    if (this.#times?.changes === changes) return this.#times.made
    const made = await Times.of(this.fold, slices)
    this.#times = { changes, made }
    this.onGrowth()
    return made
  }

  /** Whether nothing may come any more but deletions of players. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Whether the log has by now all that it will ever have of the instant; views may come to it later. */
  isOver(nowMs: number): boolean {
    return nowMs >= Date.parse(this.asOf) + SETTLED_AFTER_MS
  }

  /** Reads on to where the history is whole now. Throws 422 `board_too_large`, and is of no use then. */
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
        checkFits(this.fold.bytes, this.#deps.bytesOfFold)
        this.upTo = page.at(-1)?.position ?? this.upTo
      }
      await settle(this.fold, log, slices)
      checkFits(this.fold.bytes, this.#deps.bytesOfFold)
      this.upTo = upTo
    }
    this.#isWhole = isOver && (await this.#hasAll(upTo))
  }

  /** Whether the history has by now what the log has of the instant: it has all there is, or things long after it. */
  async #hasAll(upTo: Position | null): Promise<boolean> {
    const { log } = this.#deps
    const head = await log.head()
    if (head === null || (upTo !== null && upTo >= head)) return true
    return upTo !== null && this.#isLater(await log.eventAt(upTo))
  }

  /**
   * The same of bans, up to where the view has them: beyond that the history of the game has
   * nothing, or things long after it.
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

  /** Takes out who was deleted since, and applies what was found of bans and of the board itself. Throws Outdated. */
  async refresh(): Promise<void> {
    const { queries } = this.#deps
    const { game } = this.board
    const after = this.#absentUpTo
    // What is read after how far it was whole is all there up to that. A settled board asks no more than who is gone.
    const upTo = await absencesReached(queries, game)
    const settles = this.#isWhole && !this.#isSettled && (await this.#hasAllBans(upTo))
    // Nothing has come to the view since: there is nothing to ask it for.
    const stands = upTo === after
    const gone = stands ? [] : await deletedPlayers(queries, game, after)
    const bans = stands || this.#isSettled ? [] : await banChanges(queries, { game }, { after, upTo, asOf: this.asOf })
    const concerned = [...gone, ...bans.map(({ player }) => player)]
    if (concerned.some((player) => this.fold.hasMore(player, AT_ONCE))) throw new Outdated()
    // From here on in one step: who reads meanwhile sees all of it or nothing.
    for (const { player, banned } of bans) this.fold.show(player, !banned)
    for (const player of gone) {
      this.fold.remove(player)
      if (!this.#isSettled) this.#deleted.add(player)
    }
    if (upTo !== null && upTo > (after ?? '')) this.#absentUpTo = upTo
    // Whoever began to read bans before the history was whole may have missed one.
    if (!settles) return
    this.#isSettled = true
    this.#deleted.clear()
  }
}

/** The leaderboard as of an instant, or null where it was not made yet. */
export async function boardAsOf({ log }: PastDeps, { id, game }: Board, asOf: string): Promise<Board | null> {
  let state = leaderboard.initial
  for (const event of await streamBy(log, boardStream(id), asOf)) {
    state = leaderboard.evolve(state, shaped<LeaderboardEvent>(event), momentOf(event))
  }
  return state === null ? null : { id, game, generation: state.generation, state }
}

/** Folds a board of an instant. O(history). */
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
  // Now with their order, as what is kept is looked at when it reads on.
  checkFits(past.fold.bytes, deps.bytesOfFold)
  return past
}
