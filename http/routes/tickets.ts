// Sign-in tickets: the tenant's server creates one for a player, and the game client redeems it.

import { makeTicket, playerOfExternalId, TICKET_LIFETIME_S } from '../../commands/sign-in/ticket.ts'
import { Refusal } from '../../domain/decider.ts'
import { findPlayer } from '../../queries/player.ts'
import { externalId, fields, idText, name, nullAsLeftOut } from '../fields.ts'
import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { ticketShape } from './shapes.ts'
import { signInGame } from './sign-in.ts'

const ticketBody = fields({
  player: nullAsLeftOut(idText).meta({ description: 'The id of an existing player.' }),
  external_id: nullAsLeftOut(externalId).meta({
    description: 'Your own id of the player; a new one creates the player.',
  }),
  name: nullAsLeftOut(name).meta({ description: 'The name of a player who is created by this call.' }),
})
  .refine(
    ({ player, external_id }) => (player === undefined) !== (external_id === undefined),
    'must name the player either by player or by external_id',
  )
  .refine(({ player, name: given }) => player === undefined || given === undefined, {
    path: ['name'],
    message: 'is allowed with external_id only: leave it out',
  })

export function ticketRoutes(deps: Pick<RouteDeps, 'queries' | 'signIn'>): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/gm/:game/player/ticket/',
      summary: 'Create a sign-in ticket for a player',
      needs: { permission: 'gm:{game}:tickets' },
      tenantOnly: true,
      // The session that it begins would outlive such a token.
      refusesOperatorTokens: true,
      records: true,
      body: ticketBody,
      answers: { 201: ticketShape },
      refusals: ['unknown_player', 'sign_in_method_off'],
      async handle({ caller, params, body, context }) {
        const { id: game } = await signInGame(deps, caller, params.game ?? '', 'ticket')
        const { player, external_id: external = '', name: given = null } = body
        const holder =
          player === undefined
            ? await playerOfExternalId(deps.signIn, game, { externalId: external, name: given }, context)
            : { id: await ownPlayer(deps, game, player), made: null }
        const { ticket, written, replayed } = await makeTicket(deps.signIn, game, holder, context)
        return { status: 201, body: { ticket, expires_in: TICKET_LIFETIME_S }, written, replayed }
      },
    }),
  ]
}

async function ownPlayer(deps: Pick<RouteDeps, 'queries'>, game: string, id: string): Promise<string> {
  const found = await findPlayer(deps.queries, id)
  if (found?.game === game) return id
  throw new Refusal('unprocessable', 'unknown_player', 'There is no such player in this game. Name one of its players.')
}
