// Registering: the claim on the login decides, and names what the vault keeps of it. What follows from the claim is
// done by the call or, after a crash, by a process (processes/finish-sign-ins.ts).

import { Refusal } from '../../domain/decider.ts'
import { momentOf, unsafeCast } from '../../domain/event.ts'
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

/** What is shown for a player who gave no name and is no guest: `Player` and four characters. */
export const playerName = (id: string): string => `Player${id.slice(0, 4)}`

/** Login and address in canonical form. */
export interface RegistrationForm {
  readonly login: string
  /** The login as the player typed it, which an access request shows; left out: as it is compared. */
  readonly typed?: string
  readonly password: string
  readonly name: string | null
  readonly email: string | null
}

interface RegistrationRequest {
  readonly game: string
  readonly caller: { readonly player: string | null; readonly session: string | null; readonly network: string }
  readonly wish: RegistrationForm
}

/**
 * Makes a registered player, or one of the player who is signed in (null: nobody). 409 `login_taken`,
 * `already_registered`; 503 `sign_in_busy`. An address that is somebody's already is passed over, and nothing tells.
 */
export async function registerPlayer(
  deps: SignInDeps,
  { game, caller, wish }: RegistrationRequest,
  context: CommandContext,
): Promise<Proven<Player>> {
  const { name, email } = wish
  const { player: signedIn } = caller
  const secret = secretId(context)
  const digest = digestOf(deps, 'login', game, wish.login)
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
  // A repeated call gets its first answer, even if the login has another owner now.
  const hash = isClaimed ? null : await passwordHash(deps, wish.password, caller.network)
  if (hash !== null) await deps.handler.handle(login, about, withoutIdempotencyKey(context), beginClaim(secret))
  try {
    if (hash !== null) await storeText(deps, 'password', secret, hash)
    if (hash !== null) await storeText(deps, 'login', secret, wish.typed ?? wish.login)
    if (hash !== null && email !== null) await storeText(deps, 'email', secret, email)
    await deps.handler.handle(login, about, context, claimLogin(claim))
  } catch (error) {
    await destroyUnclaimed(deps, { kind: 'login', game, digest, secret }, error)
    throw error
  }
  return {
    id,
    state: mayPlay(
      await finishRegistration(deps, { game, digest, claim }, { session, wasReleased }, context),
      context.nowMs,
    ),
    made: claim.makes,
    // Whoever owns the address may have taken the player over since.
    isStillValid: async () => {
      const state = await playerNow(deps, id)
      return state !== null && linkOf(state, 'login')?.secret === secret
    },
  }
}

/** The owner of the login, and whether this very call claimed it before; it may have been released since. */
async function claimState({ log }: CommandDeps, stream: string, secret: string) {
  let holder = login.initial
  let isClaimed = false
  for await (const event of eventsFrom(log, stream)) {
    holder = login.evolve(holder, unsafeCast<LoginEvent>(event), momentOf(event))
    if (holder?.secret === secret) isClaimed = true
  }
  return { holder, isClaimed }
}

/** The caller's session, where it has not ended. */
async function begunBy(deps: CommandDeps, id: string | null): Promise<OwnSession | null> {
  const present = id === null ? null : await foldStream(deps.log, sessions, sessionStream(id))
  if (id === null || present === null || present.ended) return null
  return { id, begun: new Date(Date.parse(present.expires) - SESSION_LIFETIME_MS).toISOString() }
}

/** Who registers, and waits for the answer. */
export interface Registering {
  /** Theirs, where they were signed in. */
  readonly session: OwnSession | null
  /**
   * Whether the claim was released before: then they get their first answer, or, where they
   * were refused, never let in by it.
   */
  readonly wasReleased: boolean
}

/**
 * What follows from a claim on a login. May be done again, also when nobody waits for it any more (`by` null). Lets go
 * of the claim where the player cannot have it.
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
    // An address that its owner has proven since is theirs, though the login that came with it is void.
    const had = await linksBy(deps, id, secret)
    for (const link of links) if (!had.has(link.kind)) await release(deps, { game, player: id }, link, context)
    await destroyUnlinked(deps, secret, had)
    throw error
  })
  if (after === null) throw signInRejected()
  // Met again, the call is answered as the player was then: deleted since, they hold no
  // address that was claimed again here.
  const present = replayed ? await playerNow(deps, id) : after
  if (theirs !== null && isTheirs && (present === null || linkOf(present, 'email')?.secret !== secret)) {
    await release(deps, { game, player: id }, theirs, context)
  }
  return after
}

/** Of a call that is repeated: its login is free for others since, and its password destroyed. */
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
