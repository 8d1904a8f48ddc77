// Read-your-writes consistency. A token holds the game and the log position of a write, encrypted, because positions
// reveal the activity of other games. A read that sends it back includes at least that write, on any node. Without a
// token, this node remembers the last writes that each caller made on it.

import { BEHIND_AFTER_MS, type CommitPosition } from '../../commands/command-context.ts'
import type { TokenSeal } from '../../credentials/sealed-token.ts'
import { Refusal } from '../../domain/decider.ts'
import type { Position } from '../../domain/event.ts'
import { lru } from '../../runtime/lru.ts'
import type { Caller } from '../route.ts'

/** A read that waited for BEHIND_AFTER_MS in vain is to be retried after this. */
const RETRY_AFTER_S = 1
const MAX_CACHED_CALLERS = 50_000
/** Games cached per caller; only the operator's keys write to more than one. */
const GAMES_PER_CALLER = 8

export interface ViewsProgress {
  /** Waits until the views of a game (null: of the installation) reach a position. False after the timeout. */
  waitFor(game: string | null, position: string, timeoutMs: number): Promise<boolean>
  /** The position that the views of a game are known to have reached: the token of a write without events. */
  current(game: string | null): string
}

export interface Consistency {
  /** Decrypts a token. Throws 400 `consistency_token_unknown`. */
  read(token: string): CommitPosition
  /**
   * Waits until the views include the token's write and this caller's own. Throws 503 `behind` if a read would miss
   * them.
   */
  await(caller: Caller | null, sent: CommitPosition | null, isRead: boolean): Promise<void> | undefined
  /** The latest position in the caller's game of the token's write and of this caller's own; null: none. */
  latest(caller: Caller | null, sent: CommitPosition | null): Position | null
  /**
   * Remembers the position of a write (or of the unchanged stream; null: unknown) for the caller and returns its token.
   * Waits up to `maxWaitMs` milliseconds until this node's views include it. If `mustBeVisible`, throws 503 `behind`
   * after that time.
   */
  wrote(
    caller: Caller | null,
    written: CommitPosition | null,
    maxWaitMs: number,
    mustBeVisible: boolean,
  ): Promise<string>
}

export function createConsistency(seal: TokenSeal, progress: ViewsProgress): Consistency {
  const lastWrites = new LastWrites()
  const tokens = new TokensOfTurn(seal)

  const encode = ({ game, position }: CommitPosition): string => tokens.of(`${game ?? ''}\n${position}`)

  /** The later of the two: all writes of a commit then have the same token, and no read waits any longer for it. */
  const encodeReached = ({ game, position }: CommitPosition): string => {
    const reached = progress.current(game)
    return encode({ game, position: reached > position ? reached : position })
  }

  const read = (token: string): CommitPosition => {
    const [game, position] = seal.open(token)?.split('\n') ?? []
    if (game !== undefined && position !== undefined) return { game: game === '' ? null : game, position }
    throw new Refusal(
      'malformed',
      'consistency_token_unknown',
      'This consistency token is not one that this service issued.',
    )
  }

  const awaitOne = async ({ game, position }: CommitPosition, must: boolean): Promise<void> => {
    if ((await progress.waitFor(game, position, BEHIND_AFTER_MS)) || !must) return
    const detail = 'That write is not visible yet. Read again after Retry-After.'
    throw new Refusal('unavailable', 'behind', detail, { retry_after: RETRY_AFTER_S })
  }

  const awaitAll = async (
    sent: CommitPosition | null,
    own: readonly CommitPosition[],
    isRead: boolean,
  ): Promise<void> => {
    if (sent !== null) await awaitOne(sent, true)
    for (const written of own) await awaitOne(written, isRead)
  }

  return {
    read,
    latest: (caller, sent) =>
      latestIn(caller?.game ?? null, [...lastWrites.of(caller), ...(sent === null ? [] : [sent])]),
    await: (caller, sent, isRead) => {
      const own = lastWrites.of(caller)
      return sent === null && own.length === 0 ? undefined : awaitAll(sent, own, isRead)
    },
    wrote: async (caller, written, maxWaitMs, mustBeVisible) => {
      if (written === null)
        return encode({ game: caller?.game ?? null, position: progress.current(caller?.game ?? null) })
      if (caller !== null) lastWrites.remember(caller, written)
      const isSeen = maxWaitMs === 0 || (await progress.waitFor(written.game, written.position, maxWaitMs))
      if (mustBeVisible && !isSeen) throw notSeen()
      return encodeReached(written)
    },
  }
}

/** The last writes that each caller made on this node, one for each game. */
class LastWrites {
  readonly #writes = lru<string, readonly CommitPosition[]>(MAX_CACHED_CALLERS)

  of(caller: Caller | null): readonly CommitPosition[] {
    return (caller === null ? undefined : this.#writes.get(nameOf(caller))) ?? []
  }

  remember(caller: Caller, written: CommitPosition): void {
    const known = this.of(caller)
    const same = known.find(({ game }) => game === written.game)
    if (same !== undefined && same.position >= written.position) return
    this.#writes.set(nameOf(caller), [written, ...known.filter((one) => one !== same)].slice(0, GAMES_PER_CALLER))
  }
}

function latestIn(game: string | null, writes: readonly CommitPosition[]): Position | null {
  const positions = writes.filter((one) => one.game === game).map(({ position }) => position)
  return positions.sort().at(-1) ?? null
}

/**
 * Seals each text once per turn of the event loop, as one commit is followed by the answers of many writes. Later
 * tokens of the same text differ, so equal tokens reveal only that two calls were answered together.
 */
class TokensOfTurn {
  readonly #seal: TokenSeal
  readonly #sealed = new Map<string, string>()

  constructor(seal: TokenSeal) {
    this.#seal = seal
  }

  of(text: string): string {
    const known = this.#sealed.get(text)
    if (known !== undefined) return known
    if (this.#sealed.size === 0) setImmediate(() => this.#sealed.clear())
    const token = this.#seal.seal(text)
    this.#sealed.set(text, token)
    return token
  }
}

function notSeen(): Refusal {
  const detail = 'The change is recorded but not visible everywhere yet. Send the call again after Retry-After.'
  return new Refusal('unavailable', 'behind', detail, { retry_after: RETRY_AFTER_S })
}

function nameOf({ key, player }: Caller): string {
  return player === null ? key : `${key} ${player}`
}
