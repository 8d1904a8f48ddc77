// Sign-in routes: registration, password, mailed code, the tenant's ticket. Guest sign-in is in player.ts.

import { CODE_LIFETIME_MS, signInByCode } from '../../commands/sign-in/code.ts'
import { mailCode } from '../../commands/sign-in/mail-code.ts'
import { signInByPassword } from '../../commands/sign-in/password.ts'
import { registerPlayer } from '../../commands/sign-in/register.ts'
import { redeemTicket } from '../../commands/sign-in/ticket.ts'
import { fields, name } from '../fields.ts'
import { type Caller, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { codeSentShape, signedInShape } from './shapes.ts'
import { code, email, login, newPassword, password, secretToken } from './sign-in-fields.ts'
import { signedIn, signInGame } from './signed-in.ts'

const shared = { method: 'POST', needs: 'token', tenantOnly: false } as const

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
    summary:
      'Register with a login and a password; with a guest’s token, the guest becomes registered and keeps all data',
    records: true,
    body: fields({ login, password: newPassword, name: name.optional(), email: email.optional() }),
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
    summary: 'Sign in by a code mailed to an address; an unknown address creates a player',
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
