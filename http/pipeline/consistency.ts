// Reading one's own writes. A token holds the game and the position of a write, sealed: where the log stands, and how
// far a call has moved it, is nobody's to learn. Whoever sends it back reads at least that write, on any node. Without
// a token, this node remembers each caller's last writes made here.

import { LRUCache } from 'lru-cache'
import type { Written } from '../../commands/intent.ts'
import type { TokenSeal } from '../../credentials/sealed-token.ts'
import { Refusal } from '../../domain/decider.ts'
import type { Caller } from '../route.ts'

/** How long a read waits for its view, and after that how long the caller is asked to wait. */
export const BEHIND_AFTER_MS = 2_000
const RETRY_AFTER_S = 1
const CALLERS_REMEMBERED = 50_000
/** Games one caller's last writes are remembered for; more than one only for the operator. */
const GAMES_PER_CALLER = 8

export interface Progress {
  /** Whether the views of a game (null: of the installation) have reached a position; answers false after the time. */
  waitFor(game: string | null, position: string, timeoutMs: number): Promise<boolean>
  /** The position that the views of a game are known to have reached: what a write that changed nothing tells. */
  current(game: string | null): string
}

export interface Consistency {
  /** What a token says. Throws 400 `consistency_token_unknown`. */
  read(token: string): Written
  /**
   * Waits for what the token says and for this caller's own writes. Throws 503 `behind` where a read would miss them.
   */
  await(caller: Caller | null, sent: Written | null, isRead: boolean): Promise<void> | undefined
  /**
   * Remembers what was written, or where stood what needed no change (null: not known), and answers its token, once
   * this node's views have it, so that a caller who learns of it can read it here; after `maxWaitMs` in any case, except for what
   * must be seen: that is then 503 `behind`.
   */
  wrote(caller: Caller | null, written: Written | null, maxWaitMs: number, mustBeVisible: boolean): Promise<string>
}

export function createConsistency(seal: TokenSeal, progress: Progress): Consistency {
  const lastWrites = new LRUCache<string, readonly Written[]>({ max: CALLERS_REMEMBERED })

  const encode = ({ game, position }: Written): string => seal.seal(`${game ?? ''}\n${position}`)

  const read = (token: string): Written => {
    const [game, position] = seal.open(token)?.split('\n') ?? []
    if (game !== undefined && position !== undefined) return { game: game === '' ? null : game, position }
    throw new Refusal(
      'malformed',
      'consistency_token_unknown',
      'This consistency token is not one of this installation’s.',
    )
  }

  const awaitOne = async ({ game, position }: Written, must: boolean): Promise<void> => {
    if ((await progress.waitFor(game, position, BEHIND_AFTER_MS)) || !must) return
    const detail = 'The view asked for has not yet seen that write. Read again in a moment.'
    throw new Refusal('unavailable', 'behind', detail, { retry_after: RETRY_AFTER_S })
  }

  const remember = (who: string, written: Written): void => {
    const known = lastWrites.get(who) ?? []
    const same = known.find(({ game }) => game === written.game)
    if (same !== undefined && same.position >= written.position) return
    lastWrites.set(who, [written, ...known.filter((one) => one !== same)].slice(0, GAMES_PER_CALLER))
  }

  const awaitAll = async (sent: Written | null, own: readonly Written[], isRead: boolean): Promise<void> => {
    if (sent !== null) await awaitOne(sent, true)
    for (const written of own) await awaitOne(written, isRead)
  }

  return {
    read,
    await: (caller, sent, isRead) => {
      const own = (caller === null ? undefined : lastWrites.get(nameOf(caller))) ?? []
      return sent === null && own.length === 0 ? undefined : awaitAll(sent, own, isRead)
    },
    wrote: async (caller, written, maxWaitMs, mustBeVisible) => {
      if (written === null)
        return encode({ game: caller?.game ?? null, position: progress.current(caller?.game ?? null) })
      if (caller !== null) remember(nameOf(caller), written)
      const isSeen = maxWaitMs === 0 || (await progress.waitFor(written.game, written.position, maxWaitMs))
      if (mustBeVisible && !isSeen) throw notSeen()
      return encode(written)
    },
  }
}

function notSeen(): Refusal {
  const detail = 'It is recorded, and will be seen everywhere; but the views have not seen it yet. Send the call again.'
  return new Refusal('unavailable', 'behind', detail, { retry_after: RETRY_AFTER_S })
}

function nameOf({ key, player }: Caller): string {
  return player === null ? key : `${key} ${player}`
}
