// Player routes for the tenant: search, create, read, rename.

import { z } from 'zod'
import { makePlayer, rename } from '../../commands/player.ts'
import { Refusal } from '../../domain/decider.ts'
import type { Player } from '../../domain/player.ts'
import { listAnswer } from '../../queries/deps.ts'
import { findPlayer, listPlayers, playerAnswer } from '../../queries/player.ts'
import { fields, limit, name, offset, page, pageAsOffset } from '../fields.ts'
import { type Caller, type Route, route } from '../route.ts'
import { ownGame, type RouteDeps } from './deps.ts'
import { readCaller } from './read-caller.ts'
import { playerShape, playersShape } from './shapes.ts'

const EXTERNAL_ID_MAX = 255
const needs = { permission: 'gm:{game}:players' }

export const externalId = z
  .string('must be text')
  .min(1, 'must not be empty: leave it out')
  .max(EXTERNAL_ID_MAX, `must be at most ${EXTERNAL_ID_MAX} characters`)

const playersQuery = fields({
  limit,
  offset,
  page,
  name: z
    .string()
    .min(1, 'must not be empty')
    .max(128)
    .optional()
    .meta({ description: 'Only players whose name contains this text, in any case.' }),
}).transform(pageAsOffset)

type Deps = Pick<RouteDeps, 'commands' | 'queries' | 'reads'>

export function playersRoutes(deps: Deps): Route[] {
  return [listPlayersRoute(deps), createPlayerRoute(deps), getPlayerRoute(deps), renamePlayerRoute(deps)]
}

const listPlayersRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/gm/:game/players/',
    summary: 'List players, or search them by name',
    needs,
    tenantOnly: true,
    records: false,
    query: playersQuery,
    answers: { 200: playersShape },
    refusals: ['reads_busy'],
    async handle(call) {
      const { caller, params, query } = call
      const { id: game } = await ownGame(deps, caller, params.game ?? '')
      const found = await listPlayers(deps.queries, game, query, deps.reads.of(readCaller(call)))
      const rows = found.rows.map(({ id, state }) => playerAnswer(id, state))
      return { status: 200, body: listAnswer('players', { ...found, rows }, query) }
    },
  })

const createPlayerRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/gm/:game/players/',
    summary: 'Create a player',
    needs,
    tenantOnly: true,
    records: true,
    body: fields({
      name,
      external_id: externalId.optional().meta({ description: 'Your own id of the player, unique in the game.' }),
    }),
    answers: { 201: playerShape },
    refusals: ['external_id_taken'],
    async handle({ caller, params, body, context }) {
      const { id: game } = await ownGame(deps, caller, params.game ?? '')
      const fresh = { name: body.name, externalId: body.external_id ?? null }
      const { id, handled } = await makePlayer(deps.commands, game, fresh, context)
      const { after, written, replayed } = handled
      return { status: 201, body: playerAnswer(id, after as Player), written, replayed }
    },
  })

const getPlayerRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/gm/:game/players/:player/',
    summary: 'Read a player',
    needs,
    tenantOnly: true,
    records: false,
    answers: { 200: playerShape },
    async handle({ caller, params }) {
      const { id, state } = await playerOf(deps, caller, params)
      return { status: 200, body: playerAnswer(id, state) }
    },
  })

const renamePlayerRoute = (deps: Deps) =>
  route({
    method: 'PUT',
    path: '/api/gm/:game/players/:player/',
    summary: 'Rename a player; the new name is shown with their scores',
    needs,
    tenantOnly: true,
    records: true,
    body: fields({ name: name.optional() }),
    answers: { 200: playerShape },
    async handle({ caller, params, body, context }) {
      const { id, game, state } = await playerOf(deps, caller, params)
      if (body.name === undefined) return { status: 200, body: playerAnswer(id, state) }
      const { after, written, replayed, current } = await rename(
        deps.commands,
        { game, player: id },
        body.name,
        context,
      )
      return { status: 200, body: playerAnswer(id, after as Player), written, unchangedAt: current?.at, replayed }
    },
  })

/** The player in the path, of the caller's own game. Otherwise 404. */
export async function playerOf(
  deps: Pick<RouteDeps, 'queries'>,
  caller: Caller,
  params: Readonly<Record<string, string>>,
) {
  const { id: game } = await ownGame(deps, caller, params.game ?? '')
  const found = await findPlayer(deps.queries, params.player ?? '')
  if (found === null || found.game !== game) {
    throw new Refusal('not_found', 'player_not_found', 'There is no such player in this game.')
  }
  return { id: found.id, game, state: found.state }
}
