// The player's own calls: signing in as a guest, renewing, signing out, and the player as they see themselves.

import { z } from 'zod'
import { makeGuest, rename } from '../../commands/player.ts'
import { endAll, keepSecret, ownerOf, signInRejected } from '../../commands/session.ts'
import { playerNow, playerOfGame } from '../../commands/sign-in/claims.ts'
import type { Proven } from '../../commands/sign-in/deps.ts'
import { mayPlay } from '../../commands/sign-in/may-play.ts'
import { Refusal } from '../../domain/decider.ts'
import { stillHeld } from '../../domain/permissions.ts'
import type { Player } from '../../domain/player.ts'
import { standingKey } from '../../queries/access.ts'
import { findPlayer, ownAnswer } from '../../queries/player.ts'
import { findSession, sessionsOf } from '../../queries/session.ts'
import { fields, name } from '../fields.ts'
import { type Caller, openRoute, type Route, route } from '../route.ts'
import { ownGame, type RouteDeps } from './deps.ts'
import { ownPlayerShape, signedInShape } from './shapes.ts'
import { secretToken } from './sign-in-fields.ts'
import { signOutEverywhere } from './sign-out.ts'
import { signedIn, signInGame } from './signed-in.ts'

export function playerRoutes(deps: RouteDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/gm/:game/player/guest/',
      summary: 'Sign in as a guest: a new one, or with a guest_token the same one again',
      needs: 'token',
      tenantOnly: false,
      records: true,
      body: fields({ name: name.optional(), guest_token: secretToken.optional() }).optional(),
      answers: { 200: signedInShape, 201: signedInShape },
      refusals: ['sign_in_rejected', 'sign_in_method_off', 'player_banned'],
      rates: ['guest'],
      async handle({ caller, params, body, intent }) {
        const { id: game } = await signInGame(deps, caller, params.game ?? '', 'guest')
        if (body?.guest_token !== undefined) {
          return signedIn(deps, caller, game, await knownGuest(deps, game, body.guest_token, intent.nowMs), intent)
        }
        const { id, handled } = await makeGuest(deps.commands, game, body?.name ?? null, intent)
        // A repeated call's player may have been banned or deleted since.
        if (handled.replayed) mayPlay(await playerNow(deps.commands, id), intent.nowMs)
        const secret = intent.mint.secret('guest token')
        const guestToken = await keepSecret(deps.commands, 'guest-token', id, secret)
        const player = { id, state: handled.after as Player, made: true }
        return signedIn(deps, caller, game, player, intent, { guest_token: guestToken })
      },
    }),
    openRoute({
      method: 'POST',
      path: '/api/gm/:game/player/refresh/',
      summary: 'Trade a refresh token for a new bearer token',
      needs: 'nothing',
      tenantOnly: false,
      records: false,
      body: fields({ refresh_token: secretToken }),
      answers: { 200: signedInShape },
      refusals: ['sign_in_rejected', 'player_banned'],
      rates: ['handshake'],
      async handle({ params, body, intent }) {
        const id = await ownerOf(deps.commands, 'refresh-token', body.refresh_token)
        const session = await findSession(deps.queries, id)
        const over = session === null || session.state.ended || Date.parse(session.state.expires) <= intent.nowMs
        if (over || session.game !== params.game) throw signInRejected()
        const { player: playerId, key: prefix } = session.state
        const asked = { key: prefix, session: id, player: playerId }
        const [player, standing] = await Promise.all([findPlayer(deps.queries, playerId), deps.standings.read(asked)])
        const key = standingKey(asked, standing, intent.nowMs, signInRejected)
        // Whether they are banned says their standing, which is never older than the view.
        if (player === null) throw signInRejected()
        const permissions = stillHeld(session.state.permissions, key.permissions)
        const claims = { key: prefix, game: session.game, permissions, player: playerId, session: id }
        const { token, expiresAt } = await deps.handshake.tokens.issue(claims, intent.nowMs)
        const answer = { token, expires_at: expiresAt, permissions, declined: [], refresh_token: body.refresh_token }
        return { status: 200, body: { ...answer, player: ownAnswer(playerId, player.state) } }
      },
    }),
    route({
      method: 'POST',
      path: '/api/gm/:game/player/signout/',
      summary: 'End this session, or all of the player’s',
      needs: 'token',
      tenantOnly: false,
      records: true,
      body: fields({ everywhere: z.boolean().optional() }).optional(),
      answers: { 200: fields({ signed_out: z.int().nonnegative() }) },
      refusals: ['player_required'],
      // Each session that was ended is told to all nodes and kept for two hours: so many more, and no more, come of one address.
      rates: ['handshake'],
      async handle({ caller, params, body, intent }) {
        const { id: game } = await ownGame(deps, caller, params.game ?? '')
        const player = playerOf(caller)
        const everywhere = body?.everywhere === true
        if (everywhere) {
          const { ended, ...answer } = await signOutEverywhere(deps, game, player, intent)
          return { status: 200, body: { signed_out: ended }, ...answer }
        }
        // Repeated, by the token of another session, the call finds its own among those that were ended.
        const { repeated, nowMs } = intent
        const sessions = repeated ? await sessionsOf(deps.queries, player, 'ended', nowMs) : [caller.session ?? '']
        const { ended, written, stood } = await endAll(deps.commands, { game, player, sessions }, intent)
        return { status: 200, body: { signed_out: ended }, written, stood, replayed: repeated }
      },
    }),
    route({
      method: 'GET',
      path: '/api/gm/:game/player/me/',
      summary: 'The player as they see themselves',
      needs: 'token',
      tenantOnly: false,
      records: false,
      answers: { 200: ownPlayerShape },
      refusals: ['player_required'],
      async handle({ caller, params }) {
        await ownGame(deps, caller, params.game ?? '')
        const id = playerOf(caller)
        const found = await findPlayer(deps.queries, id)
        if (found === null) throw new Refusal('not_found', 'player_not_found', 'There is no such player.')
        return { status: 200, body: ownAnswer(id, found.state) }
      },
    }),
    route({
      method: 'PUT',
      path: '/api/gm/:game/player/me/',
      summary: 'Change one’s name',
      needs: 'token',
      tenantOnly: false,
      records: true,
      body: fields({ name }),
      answers: { 200: ownPlayerShape },
      refusals: ['player_required'],
      async handle({ caller, params, body, intent }) {
        const { id: game } = await ownGame(deps, caller, params.game ?? '')
        const id = playerOf(caller)
        const { after, written, replayed, stands } = await rename(deps.commands, game, id, body.name, intent)
        return { status: 200, body: ownAnswer(id, after as Player), written, stood: stands?.at, replayed }
      },
    }),
  ]
}

function playerOf({ player }: Caller): string {
  if (player !== null) return player
  throw new Refusal('unprocessable', 'player_required', 'Nobody is signed in with this token. Sign a player in first.')
}

async function knownGuest(deps: RouteDeps, game: string, token: string, nowMs: number): Promise<Proven<Player>> {
  const id = await ownerOf(deps.commands, 'guest-token', token)
  return {
    id,
    // By the log, as with every way to sign in: the views of this node may yet know of no ban.
    state: mayPlay(await playerOfGame(deps.commands, game, id), nowMs),
    made: false,
    // Whoever owns the player's address may have taken them over: then a guest's token counts no more.
    stillStands: async () => (await playerNow(deps.commands, id))?.takenOver === null,
  }
}
