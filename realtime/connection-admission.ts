// Connection admission: redeems the ticket before a session exists. A handshake without a valid ticket, from an origin
// that the game does not allow, or over a connection limit is rejected with an HTTP status and leaves no state.

import type { IncomingMessage } from 'node:http'
import { otherSpellings } from '../domain/loopback-origins.ts'
import { lru } from '../runtime/lru.ts'
import type { Admission, Redeemed } from './admission.ts'
import type { EngineSocket } from './engine-internals.ts'
import { MAX_CACHED_ORIGINS, ORIGIN_CACHED_MS, TICKET_MAX_CHARACTERS } from './limits.ts'
import type { RoomsMetrics } from './metrics.ts'
import {
  CLOSING,
  FULL,
  forbidden,
  RATE_LIMITED,
  type Refused,
  rejectConnection,
  UNAVAILABLE,
} from './reject-connection.ts'
import type { ConnectionSlot, SocketLimiter } from './socket-limiter.ts'

export interface ConnectionAdmissionDeps {
  /** Redeems the ticket; null if it is invalid. Rejects if that cannot be decided. */
  redeem(ticket: string): Promise<Redeemed | null>
  /** False if this handshake's address has exceeded its rate. */
  admits(request: IncomingMessage): Promise<boolean>
  /** The network address of the client: an IPv6 address as its /64. */
  networkOf(request: IncomingMessage): string
  /** True if connections and rooms are limited per network address. */
  readonly countsNetworks: boolean
  corsAllowedByAny(origin: string): Promise<boolean>
  /** The origin of the rooms server itself. */
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
  /** CORS options for a handshake response. */
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
