// Signs in as a new guest, or as the same guest again by a guest token.

import { type Player, type PlayerEvent, player, playerStream } from '../../domain/player.ts'
import { drawRandomBytes } from '../../runtime/random-bytes.ts'
import { PLAYER_KEY_BYTES } from '../../stores/contract/vault.ts'
import type { Handled } from '../command-batch.ts'
import { BEHIND_AFTER_MS, type CommandContext, type CommitPosition } from '../command-context.ts'
import type { CommandDeps } from '../command-deps.ts'
import { foldStream } from '../fold.ts'
import { makeGuest } from '../player.ts'
import { playerNow, playerOfGame } from '../player-now.ts'
import { ownerOf, recordStart, storeTokenHash } from '../session.ts'
import { recordFor, storeSecret } from '../store-secret.ts'
import { type Caller, granted, grantToken } from './begin.ts'
import { mayPlay } from './may-play.ts'
import type { Proven, SignInDeps } from './sign-in-deps.ts'

interface NewGuest {
  readonly game: string
  readonly name: string | null
  readonly caller: Caller
}

/**
 * Creates a guest and starts their session. Only this call's answer contains the guest token and the refresh token. The
 * secrets go to the vault at once, to share a transaction: at a launch each player makes this call. 401
 * `sign_in_rejected` if the guest is deleted meanwhile; 403 `player_banned`; 404 `game_not_found`; 429
 * `recording_limit`; 503 `store_away`.
 */
export async function newGuest(deps: SignInDeps, { game, name, caller }: NewGuest, context: CommandContext) {
  const { generator, usage, nowMs, repeated } = context
  const [id, session] = [generator.id('player'), generator.id('session')]
  // The player may have been banned or deleted since the first call.
  if (repeated) mayPlay(await playerNow(deps, id), nowMs)
  usage?.chargePlayer(id)
  const [guestToken, refreshToken] = await Promise.all([
    storeTokenHash(deps, 'guest-token', id, generator.secret('guest token')),
    storeTokenHash(deps, 'refresh-token', session, generator.secret('refresh token')),
    // The key of their name, which the append would store in a write of its own.
    storeSecret(deps.vault, 'player-key', id, drawRandomBytes(PLAYER_KEY_BYTES)),
  ])
  const tokens = [{ kind: 'guest-token', id } as const, { kind: 'refresh-token', id: session } as const]
  const stored = [...tokens, { kind: 'player-key', id } as const]
  const [created, handled] = await recordFor(deps.vault, stored, async () => {
    // It draws the same id: a call has one for each purpose.
    const made = await makeGuest(deps, game, name, context)
    const fresh = { game, player: id, ...granted(caller), signOuts: 0 }
    return [made.handled, await recordStart(deps, session, fresh, context)] as const
  })
  const isStillValid = async () => {
    const present = await presentState(deps, id, created, handled.written)
    if (present?.deleted === false) {
      mayPlay(present, nowMs)
      return true
    }
    // Of a repeated call that was not known as one, the deletion had destroyed them before.
    await Promise.all(tokens.map(({ kind, id }) => deps.vault.destroy(kind, id)))
    return false
  }
  const made: Proven<Player> = { id, state: created.after as Player, made: true, isStillValid }
  const begun = await grantToken(deps, { game, player: made, caller }, { id: session, refreshToken, handled }, context)
  return { player: made, guestToken, begun }
}

/**
 * The state of the player whom this call has created, with all events before its session. The views give it where they
 * have the session, for which the answer waits anyway: a log on servers takes a call for each stream.
 */
async function presentState(
  { log, playerInViews, waitForProjection }: SignInDeps,
  id: string,
  { after, events, replayed }: Handled<Player | null, PlayerEvent>,
  session: CommitPosition | null,
): Promise<Player | null> {
  const isSeen = !replayed && (await waitForProjection(session, BEHIND_AFTER_MS))
  const seen = isSeen ? await playerInViews(id) : null
  if (seen !== null) return seen
  const { revision = -1, time = '' } = events.at(-1) ?? {}
  return foldStream(log, player, playerStream(id), { state: after, revision, time, position: null })
}

/** 401 `sign_in_rejected` for any wrong token; 403 `player_banned`. */
export async function knownGuest(
  deps: CommandDeps,
  game: string,
  token: string,
  nowMs: number,
): Promise<Proven<Player>> {
  const id = await ownerOf(deps, 'guest-token', token)
  return {
    id,
    // From the log, as with every sign-in method: the views may not have applied a ban yet.
    state: mayPlay(await playerOfGame(deps, game, id), nowMs),
    made: false,
    // If the address owner has taken the player over, the guest token is invalid.
    isStillValid: async () => {
      const present = await playerNow(deps, id)
      return present?.takenOver === null && !present.deleted
    },
  }
}
