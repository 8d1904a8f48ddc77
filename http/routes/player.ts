// Routes for players themselves: guest sign-in, token refresh, sign-out, reading and renaming themselves.

import { z } from 'zod'
import { renew } from '../../access/renew.ts'
import { rename } from '../../commands/player.ts'
import { endAll, ownerOf } from '../../commands/session.ts'
import { knownGuest, newGuest } from '../../commands/sign-in/guest.ts'
import { signOutEverywhere } from '../../commands/sign-out.ts'
import { Refusal } from '../../domain/decider.ts'
import type { Player } from '../../domain/player.ts'
import { findPlayer, ownAnswer } from '../../queries/player.ts'
import { sessionsOf } from '../../queries/session.ts'
import { fields, name, nullAsLeftOut } from '../fields.ts'
import { type Caller, openRoute, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { ownGame } from './own.ts'
import { ownPlayerShape, signedInShape, signedOutShape } from './shapes.ts'
import { givenToken, secretToken, signedIn, signedInAnswer, signInGame, tokenAnswer } from './sign-in.ts'

type Deps = Pick<RouteDeps, 'commands' | 'queries' | 'signIn' | 'renewing' | 'waitForProjection'>

export function playerRoutes(deps: Deps): Route[] {
  return [
    signInAsGuestRoute(deps),
    refreshSessionRoute(deps),
    signOutRoute(deps),
    getMeRoute(deps),
    renameMeRoute(deps),
  ]
}

const signInAsGuestRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/gm/:game/player/guest/',
    summary: 'Sign in as a guest, new or known',
    needs: 'token',
    tenantOnly: false,
    refusesOperatorTokens: true,
    records: true,
    body: fields({
      name: nullAsLeftOut(name),
      guest_token: nullAsLeftOut(givenToken).meta({
        description: 'Signs in the guest who got it. Null or empty: none.',
      }),
    }).optional(),
    answers: { 200: signedInShape, 201: signedInShape },
    refusals: ['sign_in_rejected', 'sign_in_method_off', 'player_banned'],
    rates: ['guest'],
    async handle({ caller, params, body, context }) {
      const { id: game } = await signInGame(deps, caller, params.game ?? '', 'guest')
      if (body?.guest_token !== undefined) {
        const known = await knownGuest(deps.signIn, game, body.guest_token, context.nowMs)
        return signedIn(deps, caller, { game, player: known }, context)
      }
      const guest = { game, name: body?.name ?? null, caller }
      const { player, guestToken, begun } = await newGuest(deps.signIn, guest, context)
      return signedInAnswer(caller, player, begun, { guest_token: guestToken })
    },
  })

const refreshSessionRoute = (deps: Deps) =>
  openRoute({
    method: 'POST',
    path: '/api/gm/:game/player/refresh/',
    summary: 'Exchange a refresh token for a new bearer token',
    needs: 'nothing',
    tenantOnly: false,
    records: false,
    body: fields({ refresh_token: secretToken }),
    answers: { 200: signedInShape },
    refusals: ['sign_in_rejected', 'player_banned'],
    rates: ['handshake'],
    async handle({ params, body, context }) {
      const session = await ownerOf(deps.commands, 'refresh-token', body.refresh_token)
      const { player, ...renewed } = await renew(deps.renewing, params.game ?? '', session, context.nowMs)
      const answer = tokenAnswer({ ...renewed, refreshToken: body.refresh_token })
      return { status: 200, body: { ...answer, player: ownAnswer(player.id, player.state) } }
    },
  })

const signOutRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/gm/:game/player/signout/',
    summary: 'End this session, or all sessions of the player',
    needs: 'token',
    tenantOnly: false,
    records: true,
    body: fields({
      everywhere: nullAsLeftOut(z.boolean('must be true or false')).meta({
        description: 'True: all sessions of the player. Default: this one.',
      }),
    }).optional(),
    answers: { 200: signedOutShape },
    refusals: ['player_required'],
    // Each ended session is published to all nodes and kept for two hours, so their number per network address is
    // limited.
    rates: ['handshake'],
    async handle({ caller, params, body, context }) {
      const { id: game } = await ownGame(deps, caller, params.game ?? '')
      const player = playerOf(caller)
      const everywhere = body?.everywhere === true
      if (everywhere) {
        const { ended, ...answer } = await signOutEverywhere(deps, { game, player }, context)
        return { status: 200, body: { signed_out: ended }, ...answer }
      }
      // A repeated call may have the token of another session, so it searches all ended ones.
      const { repeated, nowMs } = context
      const sessions = repeated ? await sessionsOf(deps.queries, player, 'ended', nowMs) : [caller.session ?? '']
      const { ended, written, currentPosition } = await endAll(deps.commands, { game, player, sessions }, context)
      return { status: 200, body: { signed_out: ended }, written, unchangedAt: currentPosition, replayed: repeated }
    },
  })

const getMeRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/gm/:game/player/me/',
    summary: 'Read the signed-in player',
    needs: 'token',
    tenantOnly: false,
    records: false,
    answers: { 200: ownPlayerShape },
    refusals: ['player_required', 'player_not_found'],
    async handle({ caller, params }) {
      await ownGame(deps, caller, params.game ?? '')
      const id = playerOf(caller)
      const found = await findPlayer(deps.queries, id)
      if (found === null) throw new Refusal('not_found', 'player_not_found', 'There is no such player.')
      return { status: 200, body: ownAnswer(id, found.state) }
    },
  })

const renameMeRoute = (deps: Deps) =>
  route({
    method: 'PUT',
    path: '/api/gm/:game/player/me/',
    summary: 'Change the name of the signed-in player',
    needs: 'token',
    tenantOnly: false,
    records: true,
    body: fields({ name }),
    answers: { 200: ownPlayerShape },
    // Another caller may delete the player after this call was admitted.
    refusals: ['player_required', 'player_not_found'],
    async handle({ caller, params, body, context }) {
      const { id: game } = await ownGame(deps, caller, params.game ?? '')
      const id = playerOf(caller)
      const { after, written, replayed, current } = await rename(
        deps.commands,
        { game, player: id },
        body.name,
        context,
      )
      return { status: 200, body: ownAnswer(id, after as Player), written, unchangedAt: current?.at, replayed }
    },
  })

function playerOf({ player }: Caller): string {
  if (player !== null) return player
  throw new Refusal(
    'unprocessable',
    'player_required',
    'No player is signed in with this token. Sign a player in first.',
  )
}
