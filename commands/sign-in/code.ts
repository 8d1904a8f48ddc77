// Signs in by a code sent to an e-mail address (mail-code.ts). A correct code for an unknown address creates a player.

import { keyedDigest } from '../../credentials/master.ts'
import { Refusal } from '../../domain/decider.ts'
import { type Link, linkOf } from '../../domain/links.ts'
import { beginClaim, claimLogin, type LoginClaimedData, login } from '../../domain/login.ts'
import { type Player, player } from '../../domain/player.ts'
import { confirmEmail, register } from '../../domain/registration.ts'
import { signInRejected } from '../../domain/session.ts'
import { type CommandContext, withoutIdempotencyKey } from '../command-context.ts'
import type { CommandDeps } from '../command-deps.ts'
import { aboutPlayer, playerNow } from '../player-now.ts'
import {
  begunBefore,
  type ClaimedLogin,
  claimStream,
  currentClaim,
  destroyUnclaimed,
  digestOf,
  secretId,
} from './claims.ts'
import { mayPlay } from './may-play.ts'
import { playerName, storeText } from './register.ts'
import type { Proven, SignInDeps } from './sign-in-deps.ts'
import { finishTakeOver } from './take-over.ts'

export const CODE_LIFETIME_MS = 15 * 60_000
/** How long a take-over waits for the views, which list the sessions that it must end. */
const WAIT_FOR_VIEWS_MS = 2_000
/** Wrong codes from one network address after which its attempts fail, and in all after which the code is invalid. */
export const CODE_TRIES_PER_NETWORK = 5
export const CODE_TRIES = 50

export const codeKey = (game: string, digest: string): string => `code:${game}.${digest}`

export const codeDigest = ({ keys }: CommandDeps, game: string, email: string, code: string): string =>
  keyedDigest(keys.digest, 'code', game, email, code).toString('base64url')

export interface CodeAttempt {
  readonly email: string
  readonly code: string
  /** The caller's network address. */
  readonly network: string
  /** The player signed in on this call. */
  readonly signedIn: string | null
}

/**
 * 401 `sign_in_rejected` for a wrong, used or expired code; 429 `rate_limited`, even for the right code, after too many
 * wrong ones from this network; 403 `player_banned`.
 */
export async function signInByCode(
  deps: SignInDeps,
  game: string,
  sent: CodeAttempt,
  context: CommandContext,
): Promise<Proven<Player>> {
  const before = await begunBefore(deps, context)
  if (before !== null) {
    const state = mayPlay(await playerNow(deps, before), context.nowMs)
    return { id: before, state, made: before === context.generator.id('player') }
  }
  const { email, signedIn } = sent
  const digest = digestOf(deps, 'email', game, email)
  if (!context.repeated && !(await isRight(deps, game, digest, sent, context.nowMs))) throw signInRejected()

  const holder = (await currentClaim(deps, 'email', game, digest)) ?? (await claim(deps, game, digest, email, context))
  if (holder.secret === secretId(context)) {
    return { id: holder.player, state: await finishEmail(deps, { game, digest, claim: holder }, context), made: true }
  }
  const state = await stateOfHolder(deps, game, digest, holder, context)
  if (linkOf(state, 'email')?.confirmed === true) return { id: holder.player, state, made: false }
  return { id: holder.player, state: await confirm(deps, game, digest, holder.player, signedIn, context), made: false }
}

async function isRight(
  deps: SignInDeps,
  game: string,
  digest: string,
  { email, code, network }: CodeAttempt,
  nowMs: number,
): Promise<boolean> {
  const guess = {
    value: codeDigest(deps, game, email, code),
    by: network,
    maxByAddress: CODE_TRIES_PER_NETWORK,
    max: CODE_TRIES,
  }
  const check = async () => ((await deps.transient.guess(codeKey(game, digest), guess, nowMs)) ? true : null)
  return (deps.countsNetworks ? await deps.lockOut.attemptCode(network, nowMs, check) : await check()) === true
}

/** Claims an address for a new player; returns the claim that won. */
async function claim(
  deps: SignInDeps,
  game: string,
  digest: string,
  email: string,
  context: CommandContext,
): Promise<LoginClaimedData> {
  const id = context.generator.id('player')
  const secret = secretId(context)
  const fresh = { kind: 'email', player: id, secret, makes: true, name: playerName(id), email: null } as const
  const about = { stream: claimStream('email', game, digest), game, player: id }
  try {
    await deps.handler.handle(login, about, withoutIdempotencyKey(context), beginClaim(secret))
    await storeText(deps, 'email', secret, email)
    await deps.handler.handle(login, about, context, claimLogin(fresh))
    return fresh
  } catch (error) {
    await destroyUnclaimed(deps, { kind: 'email', game, digest, secret }, error)
    const holder = await currentClaim(deps, 'email', game, digest)
    if (!(error instanceof Refusal && error.code === 'login_taken') || holder === null) throw error
    return holder
  }
}

/** Creates the player of a claim that a code made on an address. Idempotent. */
export async function finishEmail(
  deps: CommandDeps,
  { game, digest, claim }: ClaimedLogin,
  context: CommandContext,
): Promise<Player> {
  const { player: id, secret, name } = claim
  const link: Link = { kind: 'email', digest, secret, confirmed: true }
  const about = aboutPlayer(game, id)
  const made = await deps.handler.handle(
    player,
    about,
    context,
    register({ makes: true, name, links: [link], session: null }),
  )
  return mayPlay(made.after, context.nowMs)
}

async function stateOfHolder(
  deps: SignInDeps,
  game: string,
  digest: string,
  holder: LoginClaimedData,
  context: CommandContext,
): Promise<Player> {
  const state = await playerNow(deps, holder.player)
  if (state !== null && linkOf(state, 'email')?.secret === holder.secret) return mayPlay(state, context.nowMs)
  if (state !== null) mayPlay(state, context.nowMs)
  // The call that claimed the address is unfinished. A code's claim contains all that is needed to finish it.
  if (holder.name !== null) return finishEmail(deps, { game, digest, claim: holder }, withoutIdempotencyKey(context))
  const detail = 'This address is being registered at the moment. Request a new code in a few seconds.'
  throw new Refusal('unavailable', 'busy', detail, { retry_after: 5 })
}

async function confirm(
  deps: SignInDeps,
  game: string,
  digest: string,
  id: string,
  signedIn: string | null,
  context: CommandContext,
): Promise<Player> {
  const data = { digest, takesOver: signedIn !== id, session: context.generator.id('session') }
  const { after, events, written } = await deps.handler.handle(
    player,
    aboutPlayer(game, id),
    context,
    confirmEmail(data),
  )
  await deps.waitForProjection(written, WAIT_FOR_VIEWS_MS)
  for (const event of events) {
    if (event.type === 'PlayerEmailConfirmed')
      await finishTakeOver(deps, { game, player: id, confirmed: event.data }, null, context)
  }
  return mayPlay(after, context.nowMs)
}
