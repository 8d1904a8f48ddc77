// Sign-in routes: registration, password, mailed code, the tenant's ticket. Guest sign-in is in player.ts.

import { z } from 'zod'
import type { CommandContext } from '../../commands/command-context.ts'
import { type Begun, beginSession } from '../../commands/sign-in/begin.ts'
import { CODE_LIFETIME_MS, signInByCode } from '../../commands/sign-in/code.ts'
import { mailCode } from '../../commands/sign-in/mail-code.ts'
import { signInByPassword } from '../../commands/sign-in/password.ts'
import { registerPlayer } from '../../commands/sign-in/register.ts'
import type { Proven } from '../../commands/sign-in/sign-in-deps.ts'
import { redeemTicket } from '../../commands/sign-in/ticket.ts'
import { Refusal } from '../../domain/decider.ts'
import type { SignIn } from '../../domain/game.ts'
import type { Player } from '../../domain/player.ts'
import { toCaseless } from '../../queries/caseless.ts'
import { ownAnswer } from '../../queries/player.ts'
import { fields, name, nullAsLeftOut, storedName } from '../fields.ts'
import { type Answer, type Caller, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { ownGame } from './own.ts'
import { codeSentShape, signedInShape } from './shapes.ts'

// Schema fields for sign-in, normalised for comparison.

const PASSWORD_MIN = 8
const PASSWORD_MAX = 256
const EMAIL_MAX = 254
const SECRET_MAX = 512

/** A login as typed and as compared. Only the compared form counts for idempotency (`toJSON`). */
class Login {
  readonly typed: string
  readonly compared: string
  constructor(typed: string) {
    this.typed = typed
    this.compared = toCaseless(typed)
  }

  toJSON(): string {
    return this.compared
  }
}

const loginAs = (field: typeof name | typeof storedName) =>
  field
    .transform((typed) => new Login(typed))
    .meta({
      description: 'What the player signs in by: 1 to 64 characters, compared without regard to case.',
      minLength: 1,
      maxLength: 64,
      examples: ['ada'],
    })

/** A login to sign in with: it may have been registered under earlier rules of names. */
const login = loginAs(storedName)

/** A login to be registered. */
const newLogin = loginAs(name)

const passwordText = z
  .string('must be text')
  .max(PASSWORD_MAX, `must be at most ${PASSWORD_MAX} characters: shorten it`)
  // The same password, however the keyboard composes its characters (NIST SP 800-63B, 3.1.1.2).
  .transform((text) => text.normalize('NFKC'))

/** A password to sign in with: its minimum length is not checked, so as to reveal nothing. */
const password = passwordText.meta({ maxLength: PASSWORD_MAX })

/** A password to be set: 8 to 256 characters, any. */
const newPassword = z
  .string('must be text')
  .refine((text) => [...text].length >= PASSWORD_MIN, `must be at least ${PASSWORD_MIN} characters: lengthen it`)
  .pipe(passwordText)
  .meta({ description: 'Any characters.', minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX })

const NOT_AN_EMAIL =
  'must be an e-mail address such as ada@example.com: printable ASCII, a domain in its DNS form (xn--…) if it has other letters'
const EMAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/

/**
 * An e-mail address in lower case. ASCII only, so that look-alike letters, or those whose lower case is ASCII,
 * cannot redirect mail to another address.
 */
const email = z
  .string('must be text')
  .max(EMAIL_MAX, `must be at most ${EMAIL_MAX} characters: give an e-mail address`)
  .refine((text) => EMAIL.test(text) && text.indexOf('@') <= 64, NOT_AN_EMAIL)
  .transform((text) => text.toLowerCase())
  .meta({ description: 'An e-mail address, compared without regard to case.', examples: ['ada@example.com'] })

const code = z
  .string('must be the code as text, since it may begin with 0')
  .regex(/^[0-9]{6}$/, 'must be the six digits that were mailed')
  .meta({ examples: ['042117'] })

const NOT_A_TOKEN = 'must be a token that the service issued'
/** A guest token, a refresh token or a ticket. */
export const secretToken = z.string(NOT_A_TOKEN).min(1, NOT_A_TOKEN).max(SECRET_MAX, NOT_A_TOKEN)
/** The same, or an empty text, which engines send for a text that is not set: it counts as left out. */
export const givenToken = z
  .string(NOT_A_TOKEN)
  .max(SECRET_MAX, NOT_A_TOKEN)
  .transform((text) => (text === '' ? undefined : text))

const shared = { method: 'POST', needs: 'token', tenantOnly: false, refusesOperatorTokens: true } as const

type Deps = Pick<RouteDeps, 'queries' | 'signIn'>

export function signInRoutes(deps: Deps): Route[] {
  return [
    registerRoute(deps),
    signInByPasswordRoute(deps),
    mailCodeRoute(deps),
    signInByCodeRoute(deps),
    signInByTicketRoute(deps),
  ]
}

const registerRoute = (deps: Deps) =>
  route({
    ...shared,
    path: '/api/gm/:game/player/register/',
    summary: 'Register a player, or a guest, with a login and a password',
    records: true,
    body: fields({ login: newLogin, password: newPassword, name: nullAsLeftOut(name), email: nullAsLeftOut(email) }),
    answers: { 200: signedInShape, 201: signedInShape },
    refusals: ['login_taken', 'already_registered', 'sign_in_method_off', 'player_banned', 'sign_in_busy'],
    rates: ['guest'],
    async handle({ caller, params, body, network, context }) {
      const { id: game } = await signInGame(deps, caller, params.game ?? '', 'password')
      const { compared: login, typed } = body.login
      const form = { ...body, login, typed, name: body.name ?? null, email: body.email ?? null }
      const player = await registerPlayer(deps.signIn, { game, caller: { ...whose(caller), network }, form }, context)
      return signedIn(deps, caller, { game, player }, context)
    },
  })

const signInByPasswordRoute = (deps: Deps) =>
  route({
    ...shared,
    path: '/api/gm/:game/player/password/',
    summary: 'Sign in by login and password',
    records: true,
    body: fields({ login, password }),
    answers: { 200: signedInShape },
    refusals: ['sign_in_rejected', 'sign_in_method_off', 'player_banned', 'rate_limited', 'sign_in_busy'],
    rates: ['handshake'],
    async handle({ caller, params, body, network, context }) {
      const { id: game } = await signInGame(deps, caller, params.game ?? '', 'password')
      const { compared: login, typed } = body.login
      const sent = { login, typed, password: body.password, network }
      const player = await signInByPassword(deps.signIn, game, sent, context)
      return signedIn(deps, caller, { game, player }, context)
    },
  })

const mailCodeRoute = (deps: Deps) =>
  route({
    ...shared,
    path: '/api/gm/:game/player/code/',
    summary: 'Mail a code to an address',
    records: false,
    body: fields({ email }),
    answers: { 202: codeSentShape },
    refusals: ['sign_in_method_off', 'rate_limited', 'mail_unavailable'],
    rates: ['handshake'],
    async handle({ caller, params, body, network, context }) {
      const game = await signInGame(deps, caller, params.game ?? '', 'code')
      await mailCode(deps.signIn, { game, email: body.email, network }, context.nowMs)
      return { status: 202, body: { expires_in: CODE_LIFETIME_MS / 1_000 } }
    },
  })

const signInByCodeRoute = (deps: Deps) =>
  route({
    ...shared,
    path: '/api/gm/:game/player/code/verify/',
    summary: 'Sign in by a code mailed to an address',
    records: true,
    body: fields({ email, code }),
    answers: { 200: signedInShape, 201: signedInShape },
    refusals: ['sign_in_rejected', 'sign_in_method_off', 'player_banned', 'rate_limited'],
    rates: ['handshake'],
    async handle({ caller, params, body, network, context }) {
      const { id: game } = await signInGame(deps, caller, params.game ?? '', 'code')
      const player = await signInByCode(deps.signIn, game, { ...body, network, signedIn: caller.player }, context)
      return signedIn(deps, caller, { game, player }, context)
    },
  })

const signInByTicketRoute = (deps: Deps) =>
  route({
    ...shared,
    path: '/api/gm/:game/player/ticket/redeem/',
    summary: 'Sign in by a ticket from the tenant',
    records: true,
    body: fields({ ticket: secretToken }),
    answers: { 200: signedInShape },
    refusals: ['sign_in_rejected', 'sign_in_method_off', 'player_banned'],
    rates: ['handshake'],
    async handle({ caller, params, body, context }) {
      const { id: game } = await signInGame(deps, caller, params.game ?? '', 'ticket')
      const player = await redeemTicket(deps.signIn, game, body.ticket, context)
      return signedIn(deps, caller, { game, player }, context)
    },
  })

const whose = ({ player, session }: Caller) => ({ player, session })

// Shared by all sign-in routes: the check that the method is enabled, and the answer.

/** The caller's game, if the sign-in method is enabled. Otherwise 403 `sign_in_method_off`. */
export async function signInGame(deps: Pick<RouteDeps, 'queries'>, caller: Caller, id: string, method: keyof SignIn) {
  const { state } = await ownGame(deps, caller, id)
  if (state.signIn[method]) return { id, name: state.name }
  throw new Refusal('forbidden', 'sign_in_method_off', `Sign-in by ${method} is disabled for this game.`)
}

/** Starts the session of an authenticated player: 201 if the call created the player. */
export async function signedIn(
  deps: Pick<RouteDeps, 'signIn'>,
  caller: Caller,
  { game, player }: { readonly game: string; readonly player: Proven<Player> },
  context: CommandContext,
): Promise<Answer> {
  return signedInAnswer(caller, player, await beginSession(deps.signIn, { game, player, caller }, context))
}

/** `shown`: to a new guest once. */
export function signedInAnswer(
  { permissions }: Caller,
  player: Proven<Player>,
  { written, replayed, ...session }: Begun,
  shown: { readonly guest_token?: string } = {},
): Answer {
  const body = { ...tokenAnswer({ ...session, permissions }), player: ownAnswer(player.id, player.state), ...shown }
  return { status: player.made ? 201 : 200, body, written, replayed }
}

interface Tokens {
  readonly token: string
  /** Unix seconds. */
  readonly expiresAt: number
  readonly permissions: readonly string[]
  readonly refreshToken: string
}

export function tokenAnswer({ token, expiresAt, permissions, refreshToken }: Tokens) {
  return { token, expires_at: expiresAt, permissions, declined: [], refresh_token: refreshToken }
}
