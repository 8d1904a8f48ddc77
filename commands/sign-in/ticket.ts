// The tenant's ticket: a secret that signs one player in once, within two minutes. Only its hash is stored.

import { createHash } from 'node:crypto'
import { fromBase64url, toBase64url } from '../../credentials/text.ts'
import { Refusal } from '../../domain/decider.ts'
import { type Player, player } from '../../domain/player.ts'
import { signInRejected } from '../../domain/session.ts'
import type { Handled } from '../command-batch.ts'
import { type CommandContext, withoutIdempotencyKey } from '../command-context.ts'
import { finishExternalClaim, holderOfExternalId, makePlayer } from '../player.ts'
import { aboutPlayer, playerNow } from '../player-now.ts'
import { storeShortLived } from '../store-secret.ts'
import { begunBefore } from './claims.ts'
import { mayPlay } from './may-play.ts'
import { playerName } from './register.ts'
import type { Proven, SignInDeps } from './sign-in-deps.ts'

export const TICKET_LIFETIME_S = 120
const TICKET_BYTES = 32
/** Maximum unused tickets per game, so that one game cannot fill the store. */
export const TICKETS_PER_GAME = 32_768

/** The player of a ticket, and the result of creating them if this call did. */
export interface TicketHolder {
  readonly id: string
  readonly made: Pick<Handled<unknown, unknown>, 'written' | 'replayed'> | null
}

/**
 * The player of an external id; creates them if the id is new. Null if the call was recorded before and its player was
 * deleted since: a repeated call creates no second player.
 */
export async function playerOfExternalId(
  deps: SignInDeps,
  game: string,
  known: { readonly externalId: string; readonly name: string | null },
  context: CommandContext,
): Promise<TicketHolder | null> {
  const holder = () => holderOfExternalId(deps, game, known.externalId)
  let claim = await holder()
  if (claim === null && context.repeated) return null
  if (claim === null) {
    const name = known.name ?? playerName(context.generator.id('player'))
    try {
      const { id, handled } = await makePlayer(deps, game, { externalId: known.externalId, name }, context)
      return { id, made: handled }
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'external_id_taken')) throw error
      claim = await holder()
      if (claim === null) throw error
    }
  }
  // The call that claimed the id may be unfinished.
  if ((await playerNow(deps, claim.player)) === null)
    await finishExternalClaim(deps, game, claim, withoutIdempotencyKey(context))
  return { id: claim.player, made: null }
}

/**
 * Makes a ticket for a player. The call is recorded before the ticket is stored, so a repeated call answers the same
 * ticket without making it valid again. After a crash in between the ticket is never valid; request another one.
 */
export async function makeTicket(deps: SignInDeps, game: string, holder: TicketHolder | null, context: CommandContext) {
  const secret = context.generator.secret('ticket')
  const ticket = toBase64url(secret)
  if (holder === null) return { ticket, written: null, replayed: true }
  const recorded = holder.made ?? (await answered(deps, game, holder.id, context))
  const isReplayed = recorded?.replayed === true || isRecordedElsewhere(holder, context)
  if (!isReplayed) {
    const expiresMs = context.nowMs + TICKET_LIFETIME_S * 1_000
    await storeShortLived(deps.transient, keyOf(secret), JSON.stringify([game, holder.id]), {
      nowMs: context.nowMs,
      expiresMs,
      share: { owner: game, max: TICKETS_PER_GAME },
    })
  }
  return { ticket, written: recorded?.written ?? null, replayed: isReplayed }
}

/**
 * Whether the call was recorded before with another player, who held the external id then: its ticket may have been
 * used. Only a call that died while it created the player continues.
 */
const isRecordedElsewhere = ({ id }: TicketHolder, { repeated, generator }: CommandContext): boolean =>
  repeated && id !== generator.id('player')

async function answered(deps: SignInDeps, game: string, id: string, context: CommandContext) {
  return context.call === null ? null : deps.handler.handle(player, aboutPlayer(game, id), context, () => [])
}

const keyOf = (secret: Uint8Array): string => `ticket:${createHash('sha256').update(secret).digest('base64url')}`

/** One of several concurrent calls succeeds. 401 `sign_in_rejected`; 403 `player_banned`. */
export async function redeemTicket(
  deps: SignInDeps,
  game: string,
  ticket: string,
  context: CommandContext,
): Promise<Proven<Player>> {
  const id = (await begunBefore(deps, context)) ?? (await taken(deps, game, ticket, context.nowMs))
  return { id, state: mayPlay(await playerNow(deps, id), context.nowMs), made: false }
}

async function taken({ transient }: SignInDeps, game: string, ticket: string, nowMs: number): Promise<string> {
  const secret = fromBase64url(ticket, TICKET_BYTES)
  const stored = secret === null ? null : await transient.take(keyOf(secret), nowMs)
  const [ofGame, id] = stored === null ? [null, ''] : (JSON.parse(stored) as [string, string])
  if (ofGame !== game) throw signInRejected()
  return id
}
