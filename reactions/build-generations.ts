// Builds a requested generation of a leaderboard's entries. It processes the leaderboard's history in ranges, each
// recorded as an event; the event that activates the generation covers the small rest. If each player has one entry,
// this reaction folds the history first, and each entry is written once.

import type { BoardRef } from '../commands/about-board.ts'
import { advanceRuleChange } from '../commands/leaderboard.ts'
import { loadState } from '../commands/load-state.ts'
import { type EventReference, type Position, type StoredEvent, sameReference, unsafeCast } from '../domain/event.ts'
import { boardStream, leaderboard } from '../domain/leaderboard.ts'
import {
  type BuiltRange,
  buildRange,
  failRuleChange,
  finishRuleChange,
  type RuleChange,
  recordFolded,
  running,
} from '../domain/rule-change.ts'
import { buildErrorOf, countEvents } from '../queries/rule-change.ts'
import { positionOf } from '../stores/support/positions.ts'
import { ownContext, type Reaction, type ReactionDeps } from './reaction.ts'
import { waitForViews } from './wait.ts'

/**
 * A leaderboard's history, folded in this process and shared with the view runner, which folds it again if it is
 * missing.
 */
export interface HistoryFolds {
  /**
   * Folds the history up to `upTo`; null: to its end, or returns null if the fold would need too much memory, and the
   * history must be applied event by event. `onProgress` is called from time to time with the number of folded events.
   * Rejects with the signal's reason.
   */
  prepare(
    build: { readonly board: string } & Pick<RuleChange, 'generation' | 'rules'>,
    upTo: Position | null,
    by: { readonly signal: AbortSignal; onProgress(events: number): Promise<void> },
  ): Promise<FoldedHistory | null>
  drop(board: string): void
}

export interface FoldedHistory {
  readonly events: number
  readonly end: { readonly event: EventReference } | null
  next(after: Position | null, entries: number): { readonly upTo: EventReference; readonly events: number } | null
}

interface BuildDeps extends ReactionDeps {
  readonly folding: HistoryFolds
  readonly policy: RangePolicy
}

export function buildGenerations(deps: BuildDeps): Reaction {
  const { commands, queries, folding, now, policy } = deps
  const ranges = new RangeBuilder(deps)
  /**
   * Rule change id -> position of the last range that this reaction continued from. With `recordsAhead` the views must
   * have that one, not the latest.
   */
  const continuedFrom = new Map<string, Position>()

  async function step(event: StoredEvent, reference: BoardRef, signal: AbortSignal): Promise<void> {
    const { board, game } = reference
    const change = String(event.data.change)
    const { upTo: after = null, asOf: foldEnd = null } = unsafeCast<Partial<BuiltRange>>(event.data)
    const present = running(await loadState(commands, leaderboard, boardStream(board)), change)
    // A later range has been recorded, or the build has ended.
    if (present === null || !sameReference(present.upTo, after)) return
    const viewsInclude = (position: Position) => waitForViews(deps, { game, position }, signal)
    const before = (policy.recordsAhead ? continuedFrom.get(change) : null) ?? event.position
    continuedFrom.set(change, event.position)
    if (!(await viewsInclude(before))) return
    const folded = await ranges.folded(present, reference, { after, foldEnd }, signal)
    // The history may be a view, which must be complete before the generation is activated.
    if (folded === null && !(await viewsInclude(event.position))) return
    const broken = await buildErrorOf(queries, board, present.generation)
    const send = (decision: Parameters<typeof advanceRuleChange>[2]) =>
      advanceRuleChange(commands, reference, decision, ownContext(now()))
    if (broken !== null) return void (await send(failRuleChange(change, broken)))
    const next = folded ?? (await ranges.plain(change, board, after))
    if (next !== null) return void (await send(buildRange(change, next)))
    const total = present.total === null ? await ranges.total(change, board) : undefined
    await send(finishRuleChange(change, after, total))
  }

  return {
    // The checkpoints are stored under this name: another name would start at the first event.
    name: 'build_rules',
    takes: [
      'LeaderboardRulesRequested',
      'LeaderboardSliceBuilt',
      'LeaderboardRulesChanged',
      'LeaderboardRulesCancelled',
      'LeaderboardRulesFailed',
    ],
    async react(event, signal) {
      const { game, board } = event.meta
      if (game === null || board === undefined) return
      if (event.type === 'LeaderboardRulesRequested' || event.type === 'LeaderboardSliceBuilt') {
        await step(event, { board, game }, signal)
        return
      }
      continuedFrom.delete(String(event.data.change))
      if (await waitForViews(deps, { game, position: event.position }, signal)) folding.drop(board)
    },
  }
}

class RangeBuilder {
  readonly #deps: BuildDeps
  /** The number of events of the last build, which is counted once. */
  #counted = { change: '', total: 0 }

  constructor(deps: BuildDeps) {
    this.#deps = deps
  }

  async total(change: string, board: string): Promise<number> {
    if (this.#counted.change !== change) {
      this.#counted = { change, total: await countEvents(this.#deps.queries.history, board) }
    }
    return this.#counted.total
  }

  /** Null if the next range must be applied event by event. A build that started with a fold continues with it. */
  async folded(
    { id: change, generation, rules }: RuleChange,
    { board, game }: BoardRef,
    { after, foldEnd }: { readonly after: EventReference | null; readonly foldEnd: EventReference | null },
    signal: AbortSignal,
  ): Promise<BuiltRange | null> {
    const { commands, folding, now } = this.#deps
    const isFirst = after === null
    // A fold has no entries of seasons.
    if (isFirst && (await this.#hasSeasons(board))) return null
    if (!rules.unique || (!isFirst && (foldEnd === null || sameReference(foldEnd, after)))) return null
    const end = await positionOrNull(this.#deps, foldEnd)
    const onProgress = async (events: number) => {
      const total = Math.max(events, await this.total(change, board))
      await advanceRuleChange(commands, { board, game }, recordFolded(change, { events, total }), ownContext(now()))
    }
    const folded = await folding.prepare({ board, generation, rules }, end, { signal, onProgress })
    if (folded === null || folded.end === null) return null
    // The first season may have begun meanwhile. One that begins now begins after the end of the fold.
    if (isFirst && (await this.#hasSeasons(board))) return null
    if (isFirst) this.#counted = { change, total: folded.events }
    const next = folded.next(await positionOrNull(this.#deps, after), this.#deps.policy.entries)
    const total = await this.total(change, board)
    return next === null ? null : { after, ...next, total, asOf: folded.end.event }
  }

  /** Whether the leaderboard ever had seasons. */
  async #hasSeasons(board: string): Promise<boolean> {
    return (await loadState(this.#deps.commands, leaderboard, boardStream(board)))?.seasons !== undefined
  }

  /** The next events of the history; null if fewer than one range remain. */
  async plain(change: string, board: string, after: EventReference | null): Promise<BuiltRange | null> {
    const { history } = this.#deps.queries
    const { events } = this.#deps.policy
    const last = await history.nth({ board }, await positionOrNull(this.#deps, after), events)
    if (last === null) return null
    return { after, upTo: referenceOf(last), events, total: await this.total(change, board) }
  }
}

/**
 * How a leaderboard's history is cut into ranges that are built or cleared, each by one event. A concurrent submission
 * waits while the views apply a range.
 */
export interface RangePolicy {
  /** Events of a range that is applied event by event, and most events of the rest that the last event covers. */
  readonly events: number
  /** Most entries of a range of a folded history, unless one page has more. */
  readonly entries: number
  readonly clearedEvents: number
  /**
   * Whether a range of a folded history is recorded while the views apply the one before. The build then does not wait
   * for the append, but a submission may wait for two ranges.
   */
  readonly recordsAhead: boolean
}

/** A range takes several round trips, and some ten milliseconds to record. */
export const SERVER_RANGES: RangePolicy = { events: 2_000, entries: 200, clearedEvents: 2_000, recordsAhead: true }
/**
 * A range takes a few milliseconds. Small ranges keep the wait of submissions short; a build that is applied event by
 * event takes a third longer (decision 0035). Clearing only removes documents, so its ranges have more events, and the
 * log gets fewer of them.
 */
export const EMBEDDED_RANGES: RangePolicy = { events: 50, entries: 25, clearedEvents: 200, recordsAhead: false }

export async function positionOrNull(
  { commands }: Pick<ReactionDeps, 'commands'>,
  reference: EventReference | null,
): Promise<string | null> {
  return reference === null ? null : positionOf(commands.log, reference)
}

export const referenceOf = ({ stream, revision }: StoredEvent): EventReference => ({ stream, revision })
