// Room tickets: a secret that lets its holder connect to the rooms once, within half a minute. Only its hash is kept.
// Rooms that run apart redeem it over HTTP, whose answer names the game and the player alone: what else they must know
// of whom they let in is left for them beside it.

import { createHash } from 'node:crypto'
import { fromBase64url, toBase64url } from '../credentials/text.ts'
import type { Share, Transient } from '../stores/contract/transient.ts'
import type { CommandContext } from './command-context.ts'
import { storeShortLived } from './store-secret.ts'

export const ROOM_TICKET_LIFETIME_S = 30
const TICKET_BYTES = 32

/** By what right a ticket's holder is in the rooms. */
export interface RoomHolder {
  readonly game: string
  readonly player: string | null
  /** Prefix of the API key. */
  readonly key: string
  readonly session: string | null
  /** What the token carried when the ticket was made. */
  readonly permissions: readonly string[]
}

/** Tickets made from one network address that wait to be used: more than it may have connections. */
export const ROOM_TICKETS_PER_NETWORK = 4_096

/** `network`: null where networks are not counted. 429 `rate_limited`; 503 `store_away` where there is no room for it. */
export async function makeRoomTicket(
  transient: Transient,
  holder: RoomHolder,
  network: string | null,
  context: CommandContext,
): Promise<string> {
  const secret = context.generator.secret('room ticket')
  const share = network === null ? undefined : { owner: network, most: ROOM_TICKETS_PER_NETWORK }
  await storeHolder(transient, keyOf('rt-ticket', secret), holder, context.nowMs, share)
  return toBase64url(secret)
}

/** Whether it has the form of a ticket; all else that is given for one was never made. */
export const isRoomTicket = (ticket: string): boolean => fromBase64url(ticket, TICKET_BYTES) !== null

/** Of any number of racers one gets it; null where it is used, expired, or never was. */
export function takeRoomTicket(transient: Transient, ticket: string, nowMs: number): Promise<RoomHolder | null> {
  return take(transient, 'rt-ticket', ticket, nowMs)
}

/** Leaves the holder of a ticket that was taken for the rooms that had it taken. */
export function storeHolderForRooms(
  transient: Transient,
  ticket: string,
  holder: RoomHolder,
  nowMs: number,
): Promise<void> {
  return storeHolder(transient, keyOf('rt-holder', Buffer.from(ticket, 'base64url')), holder, nowMs)
}

/** The holder that was left with a ticket, once; null where there is none. */
export function takeHolder(transient: Transient, ticket: string, nowMs: number): Promise<RoomHolder | null> {
  return take(transient, 'rt-holder', ticket, nowMs)
}

type Kind = 'rt-ticket' | 'rt-holder'

const keyOf = (kind: Kind, secret: Uint8Array): string =>
  `${kind}:${createHash('sha256').update(secret).digest('base64url')}`

function storeHolder(
  transient: Transient,
  key: string,
  holder: RoomHolder,
  nowMs: number,
  share?: Share,
): Promise<void> {
  const { game, player, key: prefix, session, permissions } = holder
  const value = JSON.stringify({ game, player, key: prefix, session, permissions })
  return storeShortLived(transient, key, value, { nowMs, expiresMs: nowMs + ROOM_TICKET_LIFETIME_S * 1_000, share })
}

async function take(transient: Transient, kind: Kind, ticket: string, nowMs: number): Promise<RoomHolder | null> {
  const secret = fromBase64url(ticket, TICKET_BYTES)
  const stored = secret === null ? null : await transient.take(keyOf(kind, secret), nowMs)
  return stored === null ? null : (JSON.parse(stored) as RoomHolder)
}
