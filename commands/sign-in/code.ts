// Signing in by a code sent to an e-mail address. Asking for one does the same for every address; an address that is
// nobody's becomes a new player's when its code comes back.

import { randomInt, randomUUID } from 'node:crypto'
import { keyedDigest } from '../../credentials/master.ts'
import { Refusal } from '../../domain/decider.ts'
import { type Link, linkOf } from '../../domain/links.ts'
import { beginClaim, claimLogin, type LoginClaimedData, login } from '../../domain/login.ts'
import { type Player, player } from '../../domain/player.ts'
import { confirmEmail, register } from '../../domain/registration.ts'
import { signInRejected } from '../../domain/session.ts'
import type { CommandDeps } from '../deps.ts'
import { besides, type Intent } from '../intent.ts'
import { keepShortly } from '../keep.ts'
import { aboutPlayer, playerNow } from '../player-now.ts'
import { begunBefore, claimStream, destroyUnclaimed, digestOf, holderOf, secretId } from './claims.ts'
import type { Proven, SignInDeps } from './deps.ts'
import { tooMany } from './lock-out.ts'
import { mayPlay } from './may-play.ts'
import { keepText, playerName } from './register.ts'
import { finishTakeOver } from './take-over.ts'

export const CODE_LIFETIME_MS = 15 * 60_000
export const CODE_TRIES = 5
/** So long a taking over waits for this node's views, which tell of the sessions that are to end. */
const SEEN_MS = 2_000
export const MAILS_PER_EMAIL = 3

const keyOf = (game: string, digest: string): string => `code:${game}.${digest}`

const codeDigest = ({ keys }: CommandDeps, game: string, email: string, code: string): string =>
  keyedDigest(keys.digest, 'code', game, email, code).toString('base64url')

/**
 * Mails a new code, which takes the place of the one before. 429 `rate_limited` past 3 mails in 15 minutes to one
 * address, whatever the game; 503 `mail_unavailable` where no mail can be sent.
 */
export async function mailCode(
  deps: SignInDeps,
  game: { readonly id: string; readonly name: string },
  email: string,
  nowMs: number,
): Promise<void> {
  if (deps.mail === null) throw mailUnavailable()
  const key = `mail:${keyedDigest(deps.keys.digest, 'mail', email).toString('base64url')}`
  const windows = [{ key, most: MAILS_PER_EMAIL, withinMs: CODE_LIFETIME_MS }]
  const attempt = randomUUID()
  const [waitMs = 0] = await deps.windows.enter(windows, attempt, nowMs)
  if (waitMs > 0) throw tooMany('mail', waitMs, 'Enough codes were mailed to this address.')

  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const place = keyOf(game.id, digestOf(deps, 'email', game.id, email))
  await keepShortly(deps.transient, place, codeDigest(deps, game.id, email, code), nowMs, nowMs + CODE_LIFETIME_MS)
  if (deps.mail.send({ email, code, game: game.name })) return
  await deps.windows.leave(windows, attempt)
  throw mailUnavailable()
}

function mailUnavailable(): Refusal {
  const detail = 'This installation cannot send mail just now. Sign in another way, or try again later.'
  return new Refusal('unavailable', 'mail_unavailable', detail, { retry_after: 5 })
}

export interface CodeSent {
  readonly email: string
  readonly code: string
  /** The player signed in on this call. */
  readonly signedIn: string | null
}

/** 401 `sign_in_rejected` for every wrong, used or expired code; 403 `player_banned`. */
export async function signInByCode(
  deps: SignInDeps,
  game: string,
  { email, code, signedIn }: CodeSent,
  intent: Intent,
): Promise<Proven<Player>> {
  const before = await begunBefore(deps, intent)
  if (before !== null) {
    const state = mayPlay(await playerNow(deps, before), intent.nowMs)
    return { id: before, state, made: before === intent.mint.id('player') }
  }
  const digest = digestOf(deps, 'email', game, email)
  const isProven =
    intent.repeated ||
    (await deps.transient.guess(keyOf(game, digest), codeDigest(deps, game, email, code), CODE_TRIES, intent.nowMs))
  if (!isProven) throw signInRejected()

  const holder = (await holderOf(deps, 'email', game, digest)) ?? (await claim(deps, game, digest, email, intent))
  if (holder.secret === secretId(intent)) {
    return { id: holder.player, state: await finishEmail(deps, game, digest, holder, intent), made: true }
  }
  const state = await holdersState(deps, game, digest, holder, intent)
  if (linkOf(state, 'email')?.confirmed === true) return { id: holder.player, state, made: false }
  return { id: holder.player, state: await confirm(deps, game, digest, holder.player, signedIn, intent), made: false }
}

/** Claims an address for a new player; answers who has it. */
async function claim(
  deps: SignInDeps,
  game: string,
  digest: string,
  email: string,
  intent: Intent,
): Promise<LoginClaimedData> {
  const id = intent.mint.id('player')
  const secret = secretId(intent)
  const fresh = { kind: 'email', player: id, secret, makes: true, name: playerName(id), email: null } as const
  const place = { stream: claimStream('email', game, digest), game, player: id }
  try {
    await deps.handler.handle(login, place, besides(intent), beginClaim(secret))
    await keepText(deps, 'email', secret, email)
    await deps.handler.handle(login, place, intent, claimLogin(fresh))
    return fresh
  } catch (why) {
    await destroyUnclaimed(deps, 'email', game, digest, secret, why)
    const holder = await holderOf(deps, 'email', game, digest)
    if (!(why instanceof Refusal && why.code === 'login_taken') || holder === null) throw why
    return holder
  }
}

/** What follows from the claim that a code made on an address. May be done again. */
export async function finishEmail(
  deps: CommandDeps,
  game: string,
  digest: string,
  { player: id, secret, name }: LoginClaimedData,
  intent: Intent,
): Promise<Player> {
  const link: Link = { kind: 'email', digest, secret, confirmed: true }
  const about = aboutPlayer(game, id)
  const made = await deps.handler.handle(
    player,
    about,
    intent,
    register({ makes: true, name, links: [link], session: null }),
  )
  return mayPlay(made.after, intent.nowMs)
}

async function holdersState(
  deps: SignInDeps,
  game: string,
  digest: string,
  holder: LoginClaimedData,
  intent: Intent,
): Promise<Player> {
  const state = await playerNow(deps, holder.player)
  if (state !== null && linkOf(state, 'email')?.secret === holder.secret) return mayPlay(state, intent.nowMs)
  if (state !== null) mayPlay(state, intent.nowMs)
  // Whoever claimed it has not come to the end: a code's claim says all that is needed to do so here.
  if (holder.name !== null) return finishEmail(deps, game, digest, holder, besides(intent))
  const detail = 'This address is being registered just now. Ask for a new code in a moment.'
  throw new Refusal('unavailable', 'busy', detail, { retry_after: 5 })
}

async function confirm(
  deps: SignInDeps,
  game: string,
  digest: string,
  id: string,
  signedIn: string | null,
  intent: Intent,
): Promise<Player> {
  const data = { digest, takesOver: signedIn !== id, session: intent.mint.id('session') }
  const { after, events, written } = await deps.handler.handle(
    player,
    aboutPlayer(game, id),
    intent,
    confirmEmail(data),
  )
  await deps.seen(written, SEEN_MS)
  for (const event of events) {
    if (event.type === 'PlayerEmailConfirmed') await finishTakeOver(deps, game, id, event.data, null, intent)
  }
  return mayPlay(after, intent.nowMs)
}
