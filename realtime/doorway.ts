// The door of the rooms: a ticket is taken before there is any session. Whoever has none, or a dead one, or comes from
// a web page of an origin that the game does not allow, or is one too many, is refused with an HTTP status, and leaves
// nothing behind.

import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Admission, Redeemed } from './admission.ts'
import type { Crowd, Place } from './crowd.ts'
import type { EngineSocket } from './direct.ts'
import { ORIGIN_REMEMBERED_MS, ORIGINS_REMEMBERED, TICKET_MAX_CHARACTERS } from './limits.ts'
import type { RoomsMetrics } from './metrics.ts'
import { CLOSING, FULL, forbidden, RATE_LIMITED, type Refused, turnAway, UNAVAILABLE } from './turn-away.ts'

export interface DoorwayDeps {
  /** Takes the ticket and answers whom it lets in; null for one that is dead. Rejects where nobody can tell. */
  redeem(ticket: string): Promise<Redeemed | null>
  /** Whether this handshake's address may make one more. */
  admits(request: IncomingMessage): Promise<boolean>
  /** The network address that a request comes from: an IPv6 one as its /64. */
  networkOf(request: IncomingMessage): string
  /** Whether connections and rooms are counted by network address. */
  readonly countsNetworks: boolean
  corsAllowedByAny(origin: string): Promise<boolean>
  /** The origin that the rooms themselves are at. */
  readonly ownOrigin: string
  readonly crowd: Crowd
  readonly metrics: RoomsMetrics
  isClosing(): boolean
  failed(why: unknown): void
}

/** Answers null and whom it lets in, or why it does not. */
type Decided = (message: string | null | undefined, isAllowed: boolean) => void

/** What both HTTP and Socket.IO know of a request. */
interface HasOrigin {
  readonly headers: { readonly origin?: string | undefined }
}

export interface Doorway {
  allowRequest(request: IncomingMessage, decided: Decided): void
  /** A connection was made by a handshake that was let in: its place is its own until it is over. */
  entered(conn: EngineSocket): void
  /** Whom a handshake's request let in, once. */
  admitted(request: IncomingMessage): Admission | null
  /** Whether a page of this origin may read what the handshake answers. */
  cors(request: HasOrigin, decided: (failure: null, options: { origin: string | false }) => void): void
}

export function createDoorway(deps: DoorwayDeps): Doorway {
  const admissions = new WeakMap<IncomingMessage, Admission>()
  const places = new WeakMap<IncomingMessage, Place>()
  const decide = decider(deps)
  return {
    allowRequest: (request, decided) => {
      const refuse = (refused: Refused) => {
        deps.metrics.rejected()
        if (refused.status === 403) decided(refused.text, false)
        else turnAway(request, refused)
      }
      decide(request).then(
        (found) => {
          if ('status' in found) {
            refuse(found)
            return
          }
          admissions.set(request, found.admission)
          places.set(request, found.place)
          decided(null, true)
          // The connection is made before this, or never.
          setImmediate(() => places.get(request)?.free())
        },
        (why: unknown) => {
          deps.failed(why)
          refuse(UNAVAILABLE)
        },
      )
    },
    entered: (conn) => {
      const place = places.get(conn.request)
      places.delete(conn.request)
      conn.once('close', () => place?.free())
    },
    admitted: (request) => {
      const admission = admissions.get(request) ?? null
      admissions.delete(request)
      return admission
    },
    cors: corsOf(deps),
  }
}

/** Whom a handshake lets in and the place it takes, or why it is refused. */
function decider({ redeem, admits, networkOf, countsNetworks, crowd, ownOrigin, isClosing }: DoorwayDeps) {
  return async (request: IncomingMessage): Promise<Refused | { admission: Admission; place: Place }> => {
    if (isClosing()) return CLOSING
    if (!(await admits(request))) return RATE_LIMITED
    const network = networkOf(request)
    const address = countsNetworks ? network : null
    // Before the ticket is redeemed, if this can be known by then.
    const full = crowd.full(address)
    if (full !== null) return FULL[full]
    const query = queryOf(request)
    // Engine.IO's answer to old browsers: a script that any page may load, and posts that are read another way.
    if (query.has('j')) return forbidden('transport_unknown: JSONP is not served. Poll without it, or use a WebSocket.')
    const ticket = ticketIn(query)
    if (ticket === null) return forbidden('ticket_rejected: connect with ?ticket= and a ticket of POST rt/ticket.')
    const redeemed = await redeem(ticket)
    if (redeemed === null) {
      return forbidden('ticket_rejected: the ticket is used, expired, or no longer good. Ask for a new one.')
    }
    const { origin } = request.headers
    if (origin !== undefined && origin !== ownOrigin && !redeemed.entry.corsOrigins.includes(origin)) {
      return forbidden('origin_not_allowed: the game does not allow pages of this origin.')
    }
    const place = crowd.enter(address, redeemed.holder.player)
    return typeof place === 'string' ? FULL[place] : { admission: { ...redeemed, network, address }, place }
  }
}

function corsOf({ corsAllowedByAny }: DoorwayDeps): Doorway['cors'] {
  /** Those that some game allows. */
  const origins = new LRUCache<string, true>({ max: ORIGINS_REMEMBERED, ttl: ORIGIN_REMEMBERED_MS })
  return ({ headers: { origin } }, decided) => {
    if (origin === undefined) {
      decided(null, { origin: false })
      return
    }
    const asked = origins.has(origin) ? Promise.resolve(true) : corsAllowedByAny(origin)
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
  const mark = url.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
}

function ticketIn(query: URLSearchParams): string | null {
  const given = query.getAll('ticket')
  const [ticket] = given
  return ticket !== undefined && given.length === 1 && ticket.length <= TICKET_MAX_CHARACTERS ? ticket : null
}
