// The rules of a leaderboard at a position of the log. What was read of them is kept: a leaderboard that records its
// seasons has thousands of events, and few of them change its rules.

import type { Rules } from '../domain/board-rules.ts'
import { type Position, unsafeCast } from '../domain/event.ts'
import { boardStream } from '../domain/leaderboard.ts'
import { lruOfSize } from '../runtime/lru.ts'
import type { Log } from '../stores/contract/log.ts'
import { eventsFrom } from '../stores/support/events-from.ts'

/** Rules that are kept, over all leaderboards. */
const MAX_KEPT_RULES = 10_000

interface RulesRead {
  /** Newest first. */
  readonly all: readonly { readonly position: Position; readonly rules: Rules }[]
  /** The first revision that is not read. */
  readonly next: number
}

const NONE: RulesRead = { all: [], next: 0 }

/** By log: what is read of one says nothing about another. */
const keptOf = new WeakMap<Pick<Log, 'readStream'>, ReturnType<typeof createKept>>()

const createKept = () => lruOfSize<string, RulesRead>(MAX_KEPT_RULES, ({ all }) => 1 + all.length)

/**
 * The rules in force at a position, and those before them, newest first; empty if the leaderboard was created later.
 * O(what the leaderboard has recorded since this was last called for it).
 */
export async function rulesAt(
  log: Pick<Log, 'readStream'>,
  board: string,
  position: Position,
): Promise<readonly Rules[]> {
  const kept = keptOf.get(log) ?? createKept()
  keptOf.set(log, kept)
  const { all, next } = await readOn(log, board, kept.get(board) ?? NONE)
  // Another call may have read further meanwhile.
  if (next > (kept.get(board)?.next ?? 0)) kept.set(board, { all, next })
  return all.filter((one) => one.position <= position).map(({ rules }) => rules)
}

async function readOn(log: Pick<Log, 'readStream'>, board: string, from: RulesRead): Promise<RulesRead> {
  const all = [...from.all]
  let { next } = from
  for await (const { type, data, position, revision } of eventsFrom(log, boardStream(board), next)) {
    next = revision + 1
    if (type !== 'LeaderboardCreated' && type !== 'LeaderboardRulesChanged') continue
    all.unshift({ position, rules: unsafeCast<Rules>(data.rules) })
  }
  return { all, next }
}
