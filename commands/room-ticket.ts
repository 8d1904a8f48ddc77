// Room tickets: a secret that lets its holder connect to the rooms once, within 30 s. Only its hash is stored. A
// separate rooms process redeems it over HTTP. That answer contains only game and player, so the holder's key, session
// and permissions are left for the process in the memory store.

import { createHash } from 'node:crypto'
import { fromBase64url, toBase64url } from '../credentials/text.ts'
import type { Share, Transient } from '../stores/contract/transient.ts'
import type { CommandContext } from './command-context.ts'
import { storeShortLived } from './store-secret.ts'

export const ROOM_TICKET_LIFETIME_S = 30
const TICKET_BYTES = 32
/** Prefix of tickets to listen. */
const LISTENS = 'listen_'

/** Who holds a ticket, and with which rights. */
export interface RoomHolder {
  readonly game: string
  readonly player: string | null
  /** Prefix of the API key. */
  readonly key: string
  readonly session: string | null
  /** The permissions of the token that requested the ticket. */
  readonly permissions: readonly string[]
  /** Whether the ticket is one to listen: its connection takes no seat. Absent: false. */
  readonly listens?: boolean
}

/** Maximum unused tickets per network address: more than its maximum number of connections. */
export const ROOM_TICKETS_PER_NETWORK = 4_096

/** `network`: null if networks are not counted. 429 `rate_limited`; 503 `store_away` if the store is full. */
export async function makeRoomTicket(
  transient: Transient,
  holder: RoomHolder,
  network: string | null,
  context: CommandContext,
): Promise<string> {
  const secret = context.generator.secret('room ticket')
  await storeTicket(transient, keyOf('rt-ticket', secret), { holder, network, nowMs: context.nowMs })
  return toBase64url(secret)
}

/** The same for a ticket to listen. It has a form of its own, so that only the rooms of this project accept it. */
export async function makeListenTicket(
  transient: Transient,
  holder: RoomHolder,
  network: string | null,
  context: CommandContext,
): Promise<string> {
  const secret = context.generator.secret('listen ticket')
  await storeTicket(transient, keyOf('rt-listen', secret), { holder, network, nowMs: context.nowMs })
  return LISTENS + toBase64url(secret)
}

interface NewTicket {
  readonly holder: RoomHolder
  readonly network: string | null
  readonly nowMs: number
}

function storeTicket(transient: Transient, key: string, { holder, network, nowMs }: NewTicket): Promise<void> {
  const share = network === null ? undefined : { owner: network, max: ROOM_TICKETS_PER_NETWORK }
  return storeHolder(transient, key, holder, nowMs, share)
}

export const isListenTicket = (ticket: string): boolean => ticket.startsWith(LISTENS)

/** Uses up a ticket to listen, as `takeRoomTicket`. */
export async function takeListenTicket(
  transient: Transient,
  ticket: string,
  nowMs: number,
): Promise<RoomHolder | null> {
  const holder = isListenTicket(ticket) ? await take(transient, 'rt-listen', ticket.slice(LISTENS.length), nowMs) : null
  return holder === null ? null : { ...holder, listens: true }
}

/** Whether the text has the form of a ticket; other texts were never issued. */
export const isRoomTicket = (ticket: string): boolean => fromBase64url(ticket, TICKET_BYTES) !== null

/** Uses up a ticket: one of several concurrent calls gets it. Null if it is used, expired or unknown. */
export function takeRoomTicket(transient: Transient, ticket: string, nowMs: number): Promise<RoomHolder | null> {
  return take(transient, 'rt-ticket', ticket, nowMs)
}

/** Stores the holder of a redeemed ticket for the rooms process that redeemed it. */
export function storeHolderForRooms(
  transient: Transient,
  ticket: string,
  holder: RoomHolder,
  nowMs: number,
): Promise<void> {
  return storeHolder(transient, keyOf('rt-holder', Buffer.from(ticket, 'base64url')), holder, nowMs)
}

/** Takes the holder that was stored for a ticket; null if there is none. */
export function takeHolder(transient: Transient, ticket: string, nowMs: number): Promise<RoomHolder | null> {
  return take(transient, 'rt-holder', ticket, nowMs)
}

type Kind = 'rt-ticket' | 'rt-holder' | 'rt-listen'

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
