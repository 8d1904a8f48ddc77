// The rules of a leaderboard at a position of the log. What was read of them is kept: a leaderboard that records its
// seasons has thousands of events, and few of them change its rules.

import type { Rules } from '../domain/board-rules.ts'
import { type Position, unsafeCast } from '../domain/event.ts'
import { boardStream } from '../domain/leaderboard.ts'
import { lruOfSize } from '../runtime/lru.ts'
import { SingleFlight } from '../runtime/single-flight.ts'
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
const readers = new WeakMap<Pick<Log, 'readStream'>, RulesReader>()

/**
 * The rules in force at a position, and those before them, newest first; empty if the leaderboard was created later.
 * O(what the leaderboard has recorded since this was last called for it).
 */
export async function rulesAt(
  log: Pick<Log, 'readStream'>,
  board: string,
  position: Position,
): Promise<readonly Rules[]> {
  const reader = readers.get(log) ?? new RulesReader(log)
  readers.set(log, reader)
  const { all } = await reader.read(board)
  return all.filter((one) => one.position <= position).map(({ rules }) => rules)
}

class RulesReader {
  readonly #log: Pick<Log, 'readStream'>
  readonly #kept = lruOfSize<string, RulesRead>(MAX_KEPT_RULES, ({ all }) => 1 + all.length)
  readonly #reads = new SingleFlight<string, RulesRead>()

  constructor(log: Pick<Log, 'readStream'>) {
    this.#log = log
  }

  /** Concurrent calls for a leaderboard share a read that begins after all of them: it has their newest events. */
  read(board: string): Promise<RulesRead> {
    return this.#reads.following(board, () => this.#readOn(board))
  }

  async #readOn(board: string): Promise<RulesRead> {
    const kept = this.#kept.get(board) ?? NONE
    const all = [...kept.all]
    let { next } = kept
    for await (const { type, data, position, revision } of eventsFrom(this.#log, boardStream(board), next)) {
      next = revision + 1
      if (type !== 'LeaderboardCreated' && type !== 'LeaderboardRulesChanged') continue
      all.unshift({ position, rules: unsafeCast<Rules>(data.rules) })
    }
    const read = { all, next }
    this.#kept.set(board, read)
    return read
  }
}
