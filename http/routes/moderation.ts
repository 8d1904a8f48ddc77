// Moderation by the tenant: ban, unban, sign out, delete a player.

import type { Handled } from '../../commands/command-batch.ts'
import { deletePlayer } from '../../commands/forget.ts'
import { ban, unban } from '../../commands/player.ts'
import { signOutEverywhere } from '../../commands/sign-out.ts'
import type { Player } from '../../domain/player.ts'
import { playerAnswer } from '../../queries/player.ts'
import { description, fields, instant, nullAsLeftOut } from '../fields.ts'
import { type Answer, type Caller, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { ownGame } from './own.ts'
import { playerOf } from './players.ts'
import { deletedShape, playerShape } from './shapes.ts'

const needs = { permission: 'gm:{game}:players' }

/**
 * Milliseconds that these answers wait for the views, as long as a lease takes to move from a crashed projector. A
 * caller may rely on a banned or deleted player being off all leaderboards after 200. After this time the answer is 503
 * `behind`: the ban is recorded and published, and repeating the call waits again.
 */
const maxWaitMs = 10_000

const newBan = fields({
  reason: nullAsLeftOut(description).meta({ description: 'Shown to the player. Null or empty: no reason.' }),
  until: nullAsLeftOut(instant).meta({ description: 'When the ban ends. Null: only by an unban.' }),
}).optional()

type Deps = Pick<RouteDeps, 'commands' | 'queries' | 'waitForProjection'>

export function moderationRoutes(deps: Deps): Route[] {
  return [banPlayerRoute(deps), unbanPlayerRoute(deps), signOutPlayerRoute(deps), deletePlayerRoute(deps)]
}

const banPlayerRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/gm/:game/players/:player/ban/',
    summary: 'Ban a player, or change the end and reason of a ban',
    needs,
    tenantOnly: true,
    records: true,
    body: newBan,
    answers: { 200: playerShape },
    refusals: ['ban_end_passed'],
    async handle({ caller, params, body, context }) {
      const { id, game } = await playerOf(deps, caller, params)
      const { reason = null, until = null } = body ?? {}
      const data = { until, reason: reason === '' ? null : reason }
      return { ...banAnswer(id, await ban(deps.commands, { game, player: id }, data, context)), mustBeVisible: true }
    },
  })

const unbanPlayerRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/gm/:game/players/:player/unban/',
    summary: 'Lift a player’s ban; their entries are shown again',
    needs,
    tenantOnly: true,
    records: true,
    answers: { 200: playerShape },
    async handle({ caller, params, context }) {
      const { id, game } = await playerOf(deps, caller, params)
      return banAnswer(id, await unban(deps.commands, { game, player: id }, context))
    },
  })

const signOutPlayerRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/gm/:game/players/:player/signout/',
    summary: 'End all sessions of a player',
    needs,
    tenantOnly: true,
    records: true,
    answers: { 200: playerShape },
    async handle({ caller, params, context }) {
      const { id, game, state } = await playerOf(deps, caller, params)
      const { written, unchangedAt, replayed } = await signOutEverywhere(deps, { game, player: id }, context)
      return { status: 200, body: playerAnswer(id, state), written, unchangedAt, replayed }
    },
  })

const deletePlayerRoute = (deps: Deps) =>
  route({
    method: 'DELETE',
    path: '/api/gm/:game/players/:player/',
    summary: 'Delete a player permanently',
    needs,
    tenantOnly: true,
    records: true,
    answers: { 200: deletedShape },
    async handle({ caller, params, context }) {
      // For a repeated call the player is already deleted; the command returns its recorded result.
      const { id, game } = context.repeated
        ? await deletedPlayerOf(deps, caller, params)
        : await playerOf(deps, caller, params)
      const { written, replayed, current } = await deletePlayer(deps.commands, game, id, context)
      return {
        status: 200,
        body: { deleted: id },
        written,
        unchangedAt: current?.at,
        replayed,
        maxWaitMs,
        mustBeVisible: true,
      }
    },
  })

function banAnswer(id: string, { after, written, replayed, current }: Handled<Player | null, unknown>): Answer {
  return {
    status: 200,
    body: playerAnswer(id, after as Player),
    written,
    unchangedAt: current?.at,
    replayed,
    maxWaitMs,
  }
}

async function deletedPlayerOf(
  deps: Pick<RouteDeps, 'queries'>,
  caller: Caller,
  params: Readonly<Record<string, string>>,
) {
  const { id: game } = await ownGame(deps, caller, params.game ?? '')
  return { id: params.player ?? '', game }
}
