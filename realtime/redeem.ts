// Redeems tickets: in this process if it serves the API too, else by an HTTP call to the API, authenticated with the
// shared secret. The API's answer has no holder; that is read from the shared store.

import {
  isListenTicket,
  isRoomTicket,
  type RoomHolder,
  takeHolder,
  takeListenTicket,
  takeRoomTicket,
} from '../commands/room-ticket.ts'
import type { FixedRoom } from '../domain/game.ts'
import { StoreUnavailable } from '../stores/contract/faults.ts'
import type { Transient } from '../stores/contract/transient.ts'
import { REDEEM_MAX_MS } from './limits.ts'
import type { Redeemed, RoomEntry, RoomGame, RoomPlayer, RoomSettings } from './room-entry.ts'

type Redeem = (ticket: string) => Promise<Redeemed | null>

interface RedeemDeps {
  readonly transient: Transient
  /** Unix milliseconds. */
  now(): number
  /** Null if the holder may not enter. */
  enter(holder: RoomHolder): Promise<RoomEntry | null>
}

export function redeemHere({ transient, now, enter }: RedeemDeps): Redeem {
  return async (ticket) => {
    const take = isListenTicket(ticket) ? takeListenTicket : takeRoomTicket
    const holder = await take(transient, ticket, now())
    const entry = holder === null ? null : await enter(holder)
    return holder === null || entry === null ? null : { holder, entry }
  }
}

interface RedeemApartDeps extends RedeemDeps {
  readonly apiUrl: string
  readonly secret: string
  roomGame(game: string): Promise<RoomGame | null>
}

interface RedeemedBody {
  readonly game: string
  readonly player: RoomPlayer | null
  readonly settings: RoomSettings
  readonly fixed_rooms: readonly FixedRoom[]
}

export function redeemApart({ apiUrl, secret, roomGame, ...deps }: RedeemApartDeps): Redeem {
  const { transient, now } = deps
  const listens = redeemHere(deps)
  return async (ticket) => {
    if (isListenTicket(ticket)) return listens(ticket)
    if (!isRoomTicket(ticket)) return null
    const response = await fetch(`${apiUrl}/api/rt/redeem/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Realtime-Secret': secret },
      body: JSON.stringify({ ticket }),
      redirect: 'error',
      signal: AbortSignal.timeout(REDEEM_MAX_MS),
    }).catch((error: unknown) => {
      throw new StoreUnavailable(`the API at ${apiUrl} does not answer`, error)
    })
    const body: unknown = await response.json().catch(() => null)
    if (response.status === 401 && codeOf(body) === 'ticket_rejected') return null
    if (response.status !== 200) {
      throw new StoreUnavailable(
        `the API at ${apiUrl} answers ${response.status} to a redemption: ${adviceFor(response.status)}`,
      )
    }
    const { game, player, settings, fixed_rooms: fixedRooms } = body as RedeemedBody
    const [holder, settingsHere] = await Promise.all([takeHolder(transient, ticket, now()), roomGame(game)])
    if (holder === null || settingsHere === null) return null
    return { holder, entry: { player, settings, fixedRooms, corsOrigins: settingsHere.corsOrigins } }
  }
}

function adviceFor(status: number): string {
  if (status === 429) return 'the rooms call it more often than RATE_LIMITS there lets one address: raise `address`'
  if (status === 503) return 'check there which store is unavailable'
  return 'check that REALTIME_SECRET is the same there, and API_URL'
}

const codeOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
