// Connection admission: redeems the ticket before a session exists. A handshake without a valid ticket, from an origin
// that the game does not allow, or over a connection limit is rejected with an HTTP status and leaves no state.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { otherSpellings } from '../domain/origin.ts'
import { lru } from '../runtime/lru.ts'
import type { EngineSocket } from './engine-internals.ts'
import {
  MAX_CACHED_ORIGINS,
  ORIGIN_CACHED_MS,
  RETRY_AFTER_SECONDS,
  SOCKETS_PER_ADDRESS,
  SOCKETS_PER_PLAYER,
  TICKET_MAX_CHARACTERS,
} from './limits.ts'
import type { RoomsMetrics } from './metrics.ts'
import type { Admission, Redeemed } from './room-entry.ts'
import type { ConnectionSlot, Full, SocketLimiter } from './socket-limiter.ts'

export interface ConnectionAdmissionDeps {
  /** Redeems the ticket; null if it is invalid. Rejects if that cannot be decided. */
  redeem(ticket: string): Promise<Redeemed | null>
  /** False if this handshake's address has exceeded its rate. */
  admits(request: IncomingMessage): Promise<boolean>
  /** The network address of the client: an IPv6 address as its /64. */
  networkOf(request: IncomingMessage): string
  readonly countsNetworks: boolean
  corsAllowedByAny(origin: string): Promise<boolean>
  readonly ownOrigin: string
  /** The origin of the console, which may connect with tickets to listen. */
  readonly consoleOrigin: string
  readonly socketLimiter: SocketLimiter
  readonly metrics: RoomsMetrics
  isClosing(): boolean
  failed(error: unknown): void
}

/** Engine.IO's callback: a message and false to reject, null and true to accept. */
type Decided = (message: string | null | undefined, isAllowed: boolean) => void

/** The part of a request that both Node's and Socket.IO's types have. */
interface HasOrigin {
  readonly headers: { readonly origin?: string | undefined }
}

export interface ConnectionAdmission {
  allowRequest(request: IncomingMessage, decided: Decided): void
  /** Call when Engine.IO opens a connection: it keeps its slot until it closes. */
  entered(conn: EngineSocket): void
  /** The admission of a handshake request; null after the first call. */
  admitted(request: IncomingMessage): Admission | null
  cors(request: HasOrigin, decided: (failure: null, options: { origin: string | false }) => void): void
}

export function createConnectionAdmission(deps: ConnectionAdmissionDeps): ConnectionAdmission {
  const admissions = new WeakMap<IncomingMessage, Admission>()
  const slots = new WeakMap<IncomingMessage, ConnectionSlot>()
  const decide = decider(deps)
  return {
    allowRequest: (request, decided) => {
      const refuse = (refused: Refused) => {
        deps.metrics.rejected()
        if (refused.status === 403) decided(refused.text, false)
        else rejectConnection(request, refused)
      }
      decide(request).then(
        (found) => {
          if ('status' in found) {
            refuse(found)
            return
          }
          admissions.set(request, found.admission)
          slots.set(request, found.slot)
          decided(null, true)
          // Engine.IO opens the connection synchronously; if it did not, release the slot.
          setImmediate(() => slots.get(request)?.free())
        },
        (error: unknown) => {
          deps.failed(error)
          refuse(UNAVAILABLE)
        },
      )
    },
    entered: (conn) => {
      const slot = slots.get(conn.request)
      slots.delete(conn.request)
      conn.once('close', () => slot?.free())
    },
    admitted: (request) => {
      const admission = admissions.get(request) ?? null
      admissions.delete(request)
      return admission
    },
    cors: corsOf(deps),
  }
}

/** Decides on a handshake: its admission and connection slot, or the rejection. */
function decider({
  redeem,
  admits,
  networkOf,
  countsNetworks,
  socketLimiter,
  ownOrigin,
  consoleOrigin,
  isClosing,
}: ConnectionAdmissionDeps) {
  const consoleOrigins = new Set([consoleOrigin, ...otherSpellings(consoleOrigin)])
  return async (request: IncomingMessage): Promise<Refused | { admission: Admission; slot: ConnectionSlot }> => {
    if (isClosing()) return CLOSING
    if (!(await admits(request))) return RATE_LIMITED
    const network = networkOf(request)
    const address = countsNetworks ? network : null
    // Check limits before redeeming, so that the ticket stays usable; the player limit needs the ticket.
    const full = socketLimiter.full(address)
    if (full !== null) return FULL[full]
    const query = queryOf(request)
    // JSONP would bypass CORS (any page may load a script), and its posts are parsed differently.
    if (query.has('j')) return forbidden('transport_unknown: JSONP is not served. Poll without it, or use a WebSocket.')
    const ticket = ticketIn(query)
    if (ticket === null) return forbidden('ticket_rejected: connect with ?ticket= and a ticket of POST rt/ticket.')
    const redeemed = await redeem(ticket)
    if (redeemed === null) {
      return forbidden('ticket_rejected: the ticket is used, expired, or no longer good. Ask for a new one.')
    }
    const { origin } = request.headers
    const isConsole = redeemed.holder.listens === true && origin !== undefined && consoleOrigins.has(origin)
    const isOwn = origin === undefined || origin === ownOrigin || isConsole
    if (!isOwn && !redeemed.entry.corsOrigins.includes(origin)) {
      return forbidden('origin_not_allowed: the game does not allow pages of this origin.')
    }
    const slot = socketLimiter.enter(address, redeemed.holder.player)
    return typeof slot === 'string' ? FULL[slot] : { admission: { ...redeemed, network, address }, slot }
  }
}

function corsOf({ corsAllowedByAny, consoleOrigin }: ConnectionAdmissionDeps): ConnectionAdmission['cors'] {
  /** Origins that at least one game allows. */
  const origins = lru<string, true>(MAX_CACHED_ORIGINS, ORIGIN_CACHED_MS)
  return ({ headers: { origin } }, decided) => {
    if (origin === undefined) {
      decided(null, { origin: false })
      return
    }
    const asked = origin === consoleOrigin || origins.has(origin) ? Promise.resolve(true) : corsAllowedByAny(origin)
    asked
      .then((isAllowed) => {
        if (isAllowed) origins.set(origin, true)
        return isAllowed
      })
      .catch(() => false)
      .then((isAllowed) => decided(null, { origin: isAllowed ? origin : false }))
  }
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const queryStart = url.indexOf('?')
  return new URLSearchParams(queryStart < 0 ? '' : url.slice(queryStart + 1))
}

function ticketIn(query: URLSearchParams): string | null {
  const given = query.getAll('ticket')
  const [ticket] = given
  return ticket !== undefined && given.length === 1 && ticket.length <= TICKET_MAX_CHARACTERS ? ticket : null
}

// The rejections of handshakes. Socket.IO itself can only answer 403, or 400 for a WebSocket, so the other statuses are
// written here.

interface Refused {
  readonly status: 400 | 403 | 429 | 503
  /** A code, a colon, and what to do. */
  readonly text: string
}

const forbidden = (text: string): Refused => ({ status: 403, text })

export const RATE_LIMITED: Refused = {
  status: 429,
  text: 'rate_limited: more connections than this address may make. Wait a few seconds.',
}
export const SECOND_WEBSOCKET: Refused = {
  status: 400,
  text: 'already_upgraded: this connection has a WebSocket, or one is being opened for it. Use that one.',
}
const CLOSING: Refused = { status: 503, text: 'closing: this server stops. Ask for a new ticket.' }
const UNAVAILABLE: Refused = {
  status: 503,
  text: 'unavailable: a backing service does not answer. Ask for a new ticket in a moment.',
}
const FULL: Readonly<Record<Full, Refused>> = {
  node: { status: 503, text: 'server_full: this server has as many connections as it takes. Try again in a moment.' },
  address: {
    status: 429,
    text: `too_many_connections: one address has at most ${SOCKETS_PER_ADDRESS} connections here. Close one first.`,
  },
  player: {
    status: 429,
    text: `too_many_connections: one player has at most ${SOCKETS_PER_PLAYER} connections here. Close one first, and ask for a new ticket.`,
  },
}

/** Engine.IO's error code for a handshake that is not allowed. */
const FORBIDDEN = 4

/** Answers the handshake and ends it. Do not call Engine.IO's callback afterwards. */
export function rejectConnection(request: IncomingMessage, { status, text }: Refused): void {
  const body = JSON.stringify({ code: FORBIDDEN, message: text })
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Retry-After': String(RETRY_AFTER_SECONDS),
  }
  // Engine.IO sets `res` on plain requests; upgrade requests have none.
  const { res } = request as { readonly res?: ServerResponse }
  if (res !== undefined) {
    res.writeHead(status, headers).end(body)
    return
  }
  const { socket } = request
  socket.on('error', () => {})
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')}`)
  socket.destroySoon()
}
