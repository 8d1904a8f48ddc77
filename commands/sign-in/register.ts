// Registers a player. The claim on the login decides, and names the secrets in the vault. The remaining steps are done
// by the call, or by a reaction after a crash (reactions/finish-sign-ins.ts).

import { Refusal } from '../../domain/decider.ts'
import { recordedAt, unsafeCast } from '../../domain/event.ts'
import { type Link, linkOf } from '../../domain/links.ts'
import {
  beginClaim,
  claimEmail,
  claimLogin,
  type LoginClaimedData,
  type LoginEvent,
  login,
  loginTaken,
} from '../../domain/login.ts'
import { type Player, player } from '../../domain/player.ts'
import { alreadyRegistered, type OwnSession, register } from '../../domain/registration.ts'
import { SESSION_LIFETIME_MS, sessionStream, session as sessions, signInRejected } from '../../domain/session.ts'
import { eventsFrom } from '../../stores/support/events-from.ts'
import { type CommandContext, withoutIdempotencyKey } from '../command-context.ts'
import type { CommandDeps } from '../command-deps.ts'
import { foldStream } from '../fold.ts'
import { aboutPlayer, playerNow } from '../player-now.ts'
import { storeSecret } from '../store-secret.ts'
import {
  type ClaimedLogin,
  claimStream,
  destroyUnclaimed,
  destroyUnlinked,
  digestOf,
  linksBy,
  release,
  secretId,
} from './claims.ts'
import { passwordHash } from './hash.ts'
import { mayPlay } from './may-play.ts'
import type { Proven, SignInDeps } from './sign-in-deps.ts'

/** The name of a player who gave none and is not a guest: `Player` and four characters. */
export const playerName = (id: string): string => `Player${id.slice(0, 4)}`

/** Login and address in canonical form. */
export interface RegistrationForm {
  readonly login: string
  /** The login as the player typed it, for the player's export; absent: the canonical form. */
  readonly typed?: string
  readonly password: string
  readonly name: string | null
  readonly email: string | null
}

interface RegistrationRequest {
  readonly game: string
  readonly caller: { readonly player: string | null; readonly session: string | null; readonly network: string }
  readonly form: RegistrationForm
}

/**
 * Creates a registered player, or registers the signed-in one (`caller.player`). 409 `login_taken`,
 * `already_registered`; 503 `sign_in_busy`. An address that another player has is ignored, and the answer does not
 * reveal it.
 */
export async function registerPlayer(
  deps: SignInDeps,
  { game, caller, form }: RegistrationRequest,
  context: CommandContext,
): Promise<Proven<Player>> {
  const { name, email } = form
  const { player: signedIn } = caller
  const secret = secretId(context)
  const digest = digestOf(deps, 'login', game, form.login)
  const id = signedIn ?? context.generator.id('player')
  if (signedIn !== null) {
    const present = linkOf(mayPlay(await playerNow(deps, id), context.nowMs), 'login')
    if (present !== null && present.secret !== secret) throw alreadyRegistered()
  }
  const session = await begunBy(deps, caller.session)
  const stream = claimStream('login', game, digest)
  const { holder, isClaimed } = await claimState(deps, stream, secret)
  if (!isClaimed && holder !== null) throw loginTaken()
  const wasReleased = isClaimed && holder?.secret !== secret

  const claim: LoginClaimedData = {
    kind: 'login',
    player: id,
    secret,
    makes: signedIn === null,
    name: signedIn === null ? (name ?? playerName(id)) : name,
    email: email === null ? null : digestOf(deps, 'email', game, email),
  }
  const about = { stream, game, player: id }
  // A repeated call gets its first answer, even if another player has the login now.
  const hash = isClaimed ? null : await passwordHash(deps, form.password, caller.network)
  if (hash !== null) await deps.handler.handle(login, about, withoutIdempotencyKey(context), beginClaim(secret))
  try {
    if (hash !== null) await storeText(deps, 'password', secret, hash)
    if (hash !== null) await storeText(deps, 'login', secret, form.typed ?? form.login)
    if (hash !== null && email !== null) await storeText(deps, 'email', secret, email)
    await deps.handler.handle(login, about, context, claimLogin(claim))
  } catch (error) {
    await destroyUnclaimed(deps, { kind: 'login', game, digest, secret }, error)
    throw error
  }
  const { nowMs } = context
  const state = mayPlay(
    await finishRegistration(deps, { game, digest, claim }, { session, wasReleased }, context),
    nowMs,
  )
  // The address owner may have taken the player over since.
  const isStillValid = async () => {
    const present = await playerNow(deps, id)
    return present !== null && linkOf(present, 'login')?.secret === secret
  }
  return { id, state, made: claim.makes, isStillValid }
}

/** The present claim on the login, and whether this call has claimed it before, even if it was released since. */
async function claimState({ log }: CommandDeps, stream: string, secret: string) {
  let holder = login.initial
  let isClaimed = false
  for await (const event of eventsFrom(log, stream)) {
    holder = login.evolve(holder, unsafeCast<LoginEvent>(event), recordedAt(event))
    if (holder?.secret === secret) isClaimed = true
  }
  return { holder, isClaimed }
}

/** The caller's session if it has not ended. */
async function begunBy(deps: CommandDeps, id: string | null): Promise<OwnSession | null> {
  const present = id === null ? null : await foldStream(deps.log, sessions, sessionStream(id))
  if (id === null || present === null || present.ended) return null
  return { id, started: new Date(Date.parse(present.expires) - SESSION_LIFETIME_MS).toISOString() }
}

/** The caller who waits for the registration. */
export interface Registering {
  /** The caller's session; null if they were not signed in. */
  readonly session: OwnSession | null
  /** Whether the claim was released since: the repeated call may get its first answer, but must not register again. */
  readonly wasReleased: boolean
}

/**
 * Finishes a registration after its claim on a login. Idempotent; `by` null: no caller waits for it. Releases the claim
 * if the player cannot have the login.
 */
export async function finishRegistration(
  deps: CommandDeps,
  { game, digest, claim }: ClaimedLogin,
  by: Registering | null,
  context: CommandContext,
): Promise<Player> {
  const { player: id, secret, makes, name, email } = claim
  const own: Link = { kind: 'login', digest, secret, confirmed: true }
  const theirs: Link | null = email === null ? null : { kind: 'email', digest: email, secret, confirmed: false }
  const isTheirs = theirs !== null && (await claimedEmail(deps, game, theirs, claim, by !== null, context))
  const links = theirs !== null && isTheirs ? [own, theirs] : [own]
  const about = aboutPlayer(game, id)
  const registration = register({ makes, name, links, session: by?.session ?? null })
  const registering = deps.handler.handle(player, about, context, by?.wasReleased === true ? refuseAgain : registration)
  const { after, replayed } = await registering.catch(async (error: unknown) => {
    if (!(error instanceof Refusal) || error.kind === 'unavailable' || error.code === 'idempotency_key_reused')
      throw error
    // The player keeps an address that was confirmed since, even though the login is invalid.
    const had = await linksBy(deps, id, secret)
    // The login last: a registration that is interrupted here is finished by its claim on the login.
    for (const link of links.toReversed()) {
      if (!had.has(link.kind)) await release(deps, { game, player: id }, link, context)
    }
    await destroyUnlinked(deps, secret, had)
    throw error
  })
  if (after === null) throw signInRejected()
  // A replayed result is of an earlier state: if the player was deleted since, release the address claimed again here.
  const present = replayed ? await playerNow(deps, id) : after
  if (theirs !== null && isTheirs && (present === null || linkOf(present, 'email')?.secret !== secret)) {
    await release(deps, { game, player: id }, theirs, context)
  }
  return after
}

/** For a repeated call whose claim was released and whose password was destroyed. */
function refuseAgain(): never {
  const detail = 'This registration was refused before. Send it with another Idempotency-Key.'
  throw new Refusal('unauthenticated', 'sign_in_rejected', detail)
}

async function claimedEmail(
  deps: CommandDeps,
  game: string,
  { digest }: Link,
  { player: id, secret, makes }: LoginClaimedData,
  isWaitedFor: boolean,
  context: CommandContext,
): Promise<boolean> {
  const claim: LoginClaimedData = { kind: 'email', player: id, secret, makes, name: null, email: null }
  const about = { stream: claimStream('email', game, digest), game, player: id }
  const { after } = await deps.handler.handle(
    login,
    about,
    withoutIdempotencyKey(context),
    claimEmail(claim, isWaitedFor),
  )
  return after?.secret === secret
}

export const storeText = ({ vault }: CommandDeps, kind: 'password' | 'login' | 'email', id: string, text: string) =>
  storeSecret(vault, kind, id, Buffer.from(text))
