// Watching the rooms of a game without a seat, for its tenant: the list of rooms, and a ticket to listen.

import { z } from 'zod'
import { makeListenTicket, ROOM_TICKET_LIFETIME_S } from '../../commands/room-ticket.ts'
import { Refusal } from '../../domain/decider.ts'
import { listAnswer } from '../../queries/deps.ts'
import { count, fields, id, listOf, paging } from '../fields.ts'
import { type Route, route } from '../route.ts'
import { ownGame, type RouteDeps } from './deps.ts'
import { roomTicketShape } from './rooms.ts'

/**
 * Members in a page of rooms: a page with more would take the process milliseconds to write, and the caller megabytes
 * to read.
 */
export const LISTED_MEMBERS_MAX = 2_000

const needs = { permission: 'gm:{game}:realtime' }

const memberShape = fields({
  member: z.string().meta({ description: 'The id of the member in this room.' }),
  player: fields({ id, name: z.string() }).nullable().meta({ description: 'Null for a member without a player.' }),
}).meta({ id: 'RoomMember' })

const roomShape = fields({
  id: z.string().meta({ description: 'Made by the server, or chosen by the tenant for a fixed room.' }),
  name: z.string(),
  members: z.array(memberShape).meta({ description: 'In the order of joining.' }),
  max_members: count,
  fixed: z.boolean().meta({ description: 'Whether the room is one of the game’s settings and never ends.' }),
}).meta({ id: 'Room' })

const roomsShape = listOf('rooms', roomShape).meta({ id: 'RoomList' })

type Deps = Pick<RouteDeps, 'queries' | 'rooms'>

export function roomListeningRoutes(deps: Deps): Route[] {
  return [listRoomsRoute(deps), listenRoute(deps)]
}

const listRoomsRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/gm/:game/rooms/',
    summary: 'List the rooms of the game with their members',
    needs,
    tenantOnly: true,
    records: false,
    query: paging,
    answers: { 200: roomsShape },
    async handle({ caller, params, query }) {
      const { id: game, state } = await ownGame(deps, caller, params.game ?? '')
      const fixed = state.realtime.enabled ? state.fixedRooms : []
      const page = { game, fixed, ...query, maxMembers: LISTED_MEMBERS_MAX }
      const { rooms: rows, count, next } = await deps.rooms.store.listWhole(page)
      return { status: 200, body: listAnswer('rooms', { rows, count, next }, query) }
    },
  })

const listenRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/gm/:game/rt/listen/',
    summary: 'Get a ticket for one connection that hears rooms without a seat, within 30 seconds',
    needs,
    tenantOnly: true,
    records: false,
    answers: { 201: roomTicketShape },
    refusals: ['rooms_off', 'rate_limited'],
    async handle({ caller, params, network, context }) {
      const { id: game, state } = await ownGame(deps, caller, params.game ?? '')
      if (!state.realtime.enabled)
        throw new Refusal('unprocessable', 'rooms_off', 'Realtime rooms are disabled for this game.')
      const { transient, countsNetworks, url } = deps.rooms
      const { key, player, session, permissions } = caller
      const holder = { game, player, key, session, permissions }
      const ticket = await makeListenTicket(transient, holder, countsNetworks ? network : null, context)
      return { status: 201, body: { ticket, url, expires_in: ROOM_TICKET_LIFETIME_S } }
    },
  })
