// What a player has, for the tenant: their open sessions, and their entries on all leaderboards.

import { z } from 'zod'
import { dayOf, lastUsedOf } from '../../access/last-used.ts'
import { listAnswer } from '../../queries/deps.ts'
import { entriesOfPlayer } from '../../queries/scores/of-player-everywhere.ts'
import { sessionsPage } from '../../queries/session.ts'
import { fields, id, isoTime, listOf, paging } from '../fields.ts'
import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { playerOf } from './players.ts'
import { readCaller } from './read-caller.ts'
import { rankedScoreShape } from './score-fields.ts'

const needs = { permission: 'gm:{game}:players' }

const sessionShape = fields({
  id,
  created: isoTime.meta({ description: 'When the player signed in.' }),
  last_used: z.iso
    .date()
    .meta({ description: 'The last day on which the session got a token, in UTC. A token is valid for an hour.' }),
}).meta({ id: 'Session' })

const sessionsShape = listOf('sessions', sessionShape).meta({ id: 'SessionList' })

const entryShape = rankedScoreShape
  .extend({ leaderboard: id, leaderboard_name: z.string() })
  .meta({ id: 'EntryOnLeaderboard' })

const entriesShape = listOf('entries', entryShape).meta({ id: 'EntryList' })

type Deps = Pick<RouteDeps, 'queries' | 'reads' | 'commands'>

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
    summary: 'List the entries of a player on all leaderboards, each with its rank',
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
