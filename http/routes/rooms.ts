// Entering the rooms: a ticket for the caller, and its redemption for rooms in other processes. And watching them
// without a seat.

import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import {
  makeListenTicket,
  makeRoomTicket,
  ROOM_TICKET_LIFETIME_S,
  storeHolderForRooms,
  takeRoomTicket,
} from '../../commands/room-ticket.ts'
import { Refusal } from '../../domain/decider.ts'
import { listAnswer } from '../../queries/deps.ts'
import { enterRooms } from '../../realtime/room-entry.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import { count, fields, id, listOf, paging } from '../fields.ts'
import { openRoute, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { ownGame } from './own.ts'
import { fixedRoomShape, roomSettingsShape } from './shapes.ts'

/** Longer than any ticket. Other text gets the same answer as a used ticket. */
const TICKET_MAX_CHARACTERS = 128

const roomTicketShape = fields({
  ticket: z.string().meta({ description: 'Connects to the rooms, once.' }),
  url: z.string().meta({ description: 'Where to connect, with Socket.IO 4 and `?ticket=`.' }),
  expires_in: count.meta({ description: 'Seconds.' }),
}).meta({ id: 'RoomTicket' })

const roomPlayerShape = fields({ id, name: z.string() }).meta({ id: 'RoomPlayer' })

const redeemedShape = fields({
  game: id,
  player: roomPlayerShape.nullable(),
  settings: roomSettingsShape,
  fixed_rooms: z.array(fixedRoomShape),
}).meta({ id: 'RoomEntry' })

const ticketText = z.string('must be the ticket').min(1, 'must be the ticket').max(TICKET_MAX_CHARACTERS)

export function roomRoutes(deps: Pick<RouteDeps, 'queries' | 'statuses' | 'rooms'>): Route[] {
  return [ticketRoute(deps), redeemRoute(deps, deps.rooms?.secret ?? null)]
}

function ticketRoute(deps: Pick<RouteDeps, 'queries' | 'rooms'>): Route {
  return route({
    method: 'POST',
    path: '/api/gm/:game/rt/ticket/',
    summary: 'Create a ticket for a connection to the game’s rooms',
    needs: { permission: 'gm:{game}:realtime' },
    tenantOnly: false,
    records: false,
    answers: { 201: roomTicketShape },
    refusals: ['rooms_off', 'player_required', 'rate_limited'],
    async handle({ caller, params, network, context }) {
      const { id: game, state } = await ownGame(deps, caller, params.game ?? '')
      if (!state.realtime.enabled)
        throw new Refusal('unprocessable', 'rooms_off', 'Realtime rooms are disabled for this game.')
      const { key, player, session, permissions } = caller
      if (player === null && state.realtime.require_player) {
        const detail = 'Only signed-in players may enter the rooms of this game. Call with a player’s token.'
        throw new Refusal('unprocessable', 'player_required', detail)
      }
      const holder = { game, player, key, session, permissions }
      const ticket = await makeRoomTicket(
        deps.rooms.transient,
        holder,
        deps.rooms.countsNetworks ? network : null,
        context,
      )
      return { status: 201, body: { ticket, url: deps.rooms.url, expires_in: ROOM_TICKET_LIFETIME_S } }
    },
  })
}

/** Without a secret it is not served. */
function redeemRoute(deps: Pick<RouteDeps, 'queries' | 'statuses' | 'rooms'>, secret: string | null): Route {
  return openRoute({
    method: 'POST',
    path: '/api/rt/redeem/',
    summary: 'Redeem a room ticket, as a separate rooms process',
    needs: 'nothing',
    isOff: secret === null,
    admits: (header) => checkSecret(header('X-Realtime-Secret'), secret),
    tenantOnly: false,
    records: false,
    body: fields({ ticket: ticketText }),
    answers: { 200: redeemedShape },
    refusals: ['ticket_rejected'],
    async handle({ body: { ticket }, context: { nowMs } }) {
      const found = await redeem(deps, ticket, nowMs).catch((error: unknown) => {
        throw isUnavailable(error)
          ? Object.assign(new Refusal('unavailable', 'store_away', MAYBE_REDEEMED), { cause: error })
          : error
      })
      if (found === null) {
        const detail = 'The ticket is used, expired or no longer valid. Request a new one.'
        throw new Refusal('unauthenticated', 'ticket_rejected', detail)
      }
      const { game, player, settings, fixedRooms } = found
      return { status: 200, body: { game, player, settings, fixed_rooms: fixedRooms } }
    },
  })
}

/** Null if the ticket is not valid. */
async function redeem(
  { rooms: { transient }, queries, statuses }: Pick<RouteDeps, 'queries' | 'statuses' | 'rooms'>,
  ticket: string,
  nowMs: number,
) {
  const holder = await takeRoomTicket(transient, ticket, nowMs)
  const entry = holder === null ? null : await enterRooms(queries, statuses, holder, nowMs)
  if (holder === null || entry === null) return null
  await storeHolderForRooms(transient, ticket, holder, nowMs)
  return { game: holder.game, ...entry }
}

/** Also true if the memory store is full. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof StoreUnavailable || (error instanceof Refusal && error.code === 'store_away')

/** Unlike other calls after an outage, this one must not be repeated. */
const MAYBE_REDEEMED =
  'A backing service does not answer, and the ticket may be used up. Do not send it again; request a new one.'

/** Compares hashes, so that neither time nor length reveals the secret. 401 if it is wrong. */
function checkSecret(given: string | null, secret: string | null): void {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  if (secret !== null && given !== null && timingSafeEqual(hash(given), hash(secret))) return
  const detail = 'Send the secret shared with this service in the header X-Realtime-Secret.'
  throw new Refusal('unauthenticated', 'unauthenticated', detail)
}

// Watching the rooms of a game without a seat, for its tenant: the list of rooms, and a ticket to listen.

/**
 * Members in a page of rooms: a page with more would take the process milliseconds to write, and the caller megabytes
 * to read.
 */
export const LISTED_MEMBERS_MAX = 2_000

const needs = { permission: 'gm:{game}:realtime' }

const memberShape = fields({
  member: z.string().meta({ description: 'The id of the member in this room.' }),
  player: roomPlayerShape.nullable().meta({ description: 'Null for a member without a player.' }),
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
    summary: 'Create a ticket for a connection that only listens',
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
