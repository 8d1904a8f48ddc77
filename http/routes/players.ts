// Player routes for the tenant: search, create, read, rename, and what a player has.

import { z } from 'zod'
import { dayOf, lastUsedOf } from '../../access/last-used.ts'
import { makePlayer, rename } from '../../commands/player.ts'
import { Refusal } from '../../domain/decider.ts'
import type { Player } from '../../domain/player.ts'
import { listAnswer } from '../../queries/deps.ts'
import { findPlayer, listPlayers, playerAnswer } from '../../queries/player.ts'
import { entriesOfPlayer } from '../../queries/scores/of-player-everywhere.ts'
import { sessionsPage } from '../../queries/session.ts'
import {
  externalId,
  fields,
  id,
  isoTime,
  limit,
  listOf,
  name,
  nullAsLeftOut,
  offset,
  page,
  pageAsOffset,
  paging,
} from '../fields.ts'
import { type Caller, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { ownGame } from './own.ts'
import { readCaller } from './read-caller.ts'
import { rankedScoreShape } from './score-fields.ts'
import { playerShape, playersShape } from './shapes.ts'

const needs = { permission: 'gm:{game}:players' }

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
      external_id: nullAsLeftOut(externalId).meta({ description: 'Your own id of the player, unique in the game.' }),
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

// What a player has: their open sessions, and their entries on all leaderboards.

const sessionShape = fields({
  id,
  created: isoTime.meta({ description: 'When the player signed in.' }),
  last_used: z.iso
    .date()
    .meta({ description: 'The last day on which the session got a token, in UTC. A token is valid for an hour.' }),
}).meta({ id: 'Session' })

const sessionsShape = listOf('sessions', sessionShape).meta({ id: 'SessionList' })

export const entryOnBoardShape = rankedScoreShape
  .extend({ leaderboard: id, leaderboard_name: z.string() })
  .meta({ id: 'EntryOnLeaderboard' })

const entriesShape = listOf('entries', entryOnBoardShape).meta({ id: 'EntryList' })

export function playerDetailRoutes(deps: Deps): Route[] {
  return [sessionsRoute(deps), entriesRoute(deps)]
}

const sessionsRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/gm/:game/players/:player/sessions/',
    summary: 'List the open sessions of a player',
    needs,
    tenantOnly: true,
    records: false,
    query: paging,
    answers: { 200: sessionsShape },
    async handle({ caller, params, query, context }) {
      const player = await playerOf(deps, caller, params)
      const page = await sessionsPage(deps.queries, player, query, context.nowMs)
      const rows = await Promise.all(
        page.rows.map(async ({ id, started: created }) => {
          const renewed = await lastUsedOf(deps.commands.vault, { kind: 'session-used', id })
          return { id, created, last_used: renewed ?? dayOf(created) }
        }),
      )
      return { status: 200, body: listAnswer('sessions', { ...page, rows }, query) }
    },
  })

const entriesRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/gm/:game/players/:player/entries/',
    summary: 'List the entries of a player on all leaderboards',
    needs,
    tenantOnly: true,
    records: false,
    query: paging,
    answers: { 200: entriesShape },
    refusals: ['reads_busy', 'rankings_filling'],
    async handle(call) {
      const player = await playerOf(deps, call.caller, call.params)
      const heavy = deps.reads.of(readCaller(call))
      const page = await entriesOfPlayer(deps.queries, player, call.query, heavy)
      return { status: 200, body: listAnswer('entries', page, call.query) }
    },
  })
