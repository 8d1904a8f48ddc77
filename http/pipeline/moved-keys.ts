// Repeats of calls, or of parts of them, that named a leaderboard by a key which belongs to another one by now. A node
// whose views did not show the move yet may have recorded the first call, after the move, on the former leaderboard. A
// repeat that reaches the views in between would find the key moved and no call: it is looked for in the log too.

import { Refusal } from '../../domain/decider.ts'
import type { Position } from '../../domain/event.ts'
import type { NamedKey } from '../../queries/board-key.ts'
import type { RecordedCall } from '../../queries/call.ts'
import { lru } from '../../runtime/lru.ts'
import { SingleFlight } from '../../runtime/single-flight.ts'
import { CallSearches, type SearchLog } from './call-searches.ts'
import type { IdempotencyDeps } from './idempotency.ts'

const MAX_CACHED_KEYS = 10_000
/** Longer than any call runs that resolved the key before this node saw the move: with its body and its waits. */
const CALLS_ENDED_MS = 60_000

export interface MovedKeysDeps extends IdempotencyDeps {
  /** Position of the first claim on a key of a game; null if there never was one. */
  firstClaim(game: string, key: string): Promise<Position | null>
  /** The position up to which `commandSeen` knows the calls of a game. */
  callsReached(game: string): Promise<Position | null>
  /** `callsAfter`. */
  readonly callsAfter: SearchLog
}

interface NamedKeyOfGame extends NamedKey {
  readonly game: string
}

/** What this node knows of a key since its last move. */
interface Move {
  /** The position of the present claim; null if the key is free. */
  readonly since: Position | null
  /** When this node first saw it so, by `elapsedMs`. */
  readonly seenMs: number
  /** Whether no call that meant a former leaderboard can be missing from the views. */
  isSettled: boolean
}

export class MovedKeys {
  readonly #deps: MovedKeysDeps
  readonly #elapsedMs: () => number
  readonly #moves = lru<string, Move>(MAX_CACHED_KEYS)
  readonly #reads = new SingleFlight<string, Move>()
  readonly #searches: CallSearches

  /** `elapsedMs` must be monotonic. */
  constructor(deps: MovedKeysDeps, elapsedMs: () => number = () => performance.now()) {
    this.#deps = deps
    this.#elapsedMs = elapsedMs
    this.#searches = new CallSearches(deps.callsAfter)
  }

  /** What finds the repeats of a call, or of a part of one, that names this key. Throws 503 `behind` too. */
  of(named: NamedKeyOfGame): IdempotencyDeps {
    const { contexts, transient } = this.#deps
    return { contexts, transient, commandSeen: (command) => this.#commandSeen(named, command) }
  }

  async #commandSeen(named: NamedKeyOfGame, command: string): Promise<RecordedCall | null> {
    const { commandSeen, callsReached } = this.#deps
    const { game } = named
    const move = await this.#moveOf(named)
    if (move.isSettled) return commandSeen(command)
    const hasEnded = this.#elapsedMs() - move.seenMs > CALLS_ENDED_MS
    // Read first: a call after this position may be in the views by the time they are asked, or is in the log.
    const reached = await callsReached(game)
    const seen = await commandSeen(command)
    if (seen !== null) return seen
    const { calls, hasEvents, isComplete } = await this.#searches.find(game, command, reached)
    const call = calls.get(command) ?? null
    if (call === null && !isComplete) throw behind()
    if (hasEnded && !hasEvents) move.isSettled = true
    return call
  }

  #moveOf({ game, key, board }: NamedKeyOfGame): Move | Promise<Move> {
    const since = board?.since ?? null
    const name = `${game} ${key}`
    const known = this.#moves.get(name)
    if (known?.since === since) return known
    return this.#reads.join(`${name} ${since ?? ''}`, () => this.#readMove(game, key, since))
  }

  async #readMove(game: string, key: string, since: Position | null): Promise<Move> {
    const seenMs = this.#elapsedMs()
    // The first leaderboard with the key has no predecessor. A key that nobody ever had is never cached.
    const first = await this.#deps.firstClaim(game, key)
    const move = { since, seenMs, isSettled: first === since }
    if (first !== null) this.#moves.set(`${game} ${key}`, move)
    return move
  }
}

function behind(): Refusal {
  const detail = 'The leaderboard’s key has changed, and this server does not know all calls yet. Send it again.'
  return new Refusal('unavailable', 'behind', detail, { retry_after: 1 })
}
