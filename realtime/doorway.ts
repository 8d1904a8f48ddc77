// The door of the rooms: a ticket is taken before there is any session. Whoever has none, or a dead one, or comes from a web
// page of an origin that the game does not allow, is refused with an HTTP status, and leaves nothing behind.

import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Admission } from './connection.ts'
import type { RoomsMetrics } from './metrics.ts'

/** Longer than any ticket. */
const TICKET_MAX_CHARACTERS = 128
const ORIGINS_REMEMBERED = 1_000
const ORIGIN_REMEMBERED_MS = 10_000

export interface DoorwayDeps {
  /** Takes the ticket and answers whom it lets in; null for one that is dead. Rejects where nobody can tell. */
  redeem(ticket: string): Promise<Admission | null>
  /** Whether this handshake's address may make one more. */
  admits(request: IncomingMessage): Promise<boolean>
  corsAllowedByAny(origin: string): Promise<boolean>
  /** The origin that the rooms themselves are at. */
  readonly ownOrigin: string
  readonly metrics: RoomsMetrics
  failed(why: unknown): void
}

/** Answers null and whom it lets in, or why it does not. */
type Decided = (message: string | null | undefined, isAllowed: boolean) => void

/** What both HTTP and Socket.IO know of a request. */
export interface HasOrigin {
  readonly headers: { readonly origin?: string | undefined }
}

export interface Doorway {
  allowRequest(request: IncomingMessage, decided: Decided): void
  /** Whom a handshake's request let in, once. */
  admitted(request: IncomingMessage): Admission | null
  /** Whether a page of this origin may read what the handshake answers. */
  cors(request: HasOrigin, decided: (failure: null, options: { origin: string | false }) => void): void
}

export function createDoorway(deps: DoorwayDeps): Doorway {
  const admissions = new WeakMap<IncomingMessage, Admission>()
  /** Those that some game allows. */
  const origins = new LRUCache<string, true>({ max: ORIGINS_REMEMBERED, ttl: ORIGIN_REMEMBERED_MS })

  /** Null where the request is let in, else why it is not. */
  async function decide(request: IncomingMessage): Promise<string | null> {
    if (!(await deps.admits(request)))
      return 'rate_limited: more connections than this address may make. Wait a few seconds.'
    const ticket = ticketIn(request)
    if (ticket === null) return 'ticket_rejected: connect with ?ticket= and a ticket of POST rt/ticket.'
    const admission = await deps.redeem(ticket)
    if (admission === null) return 'ticket_rejected: the ticket is used, expired, or no longer good. Ask for a new one.'
    const { origin } = request.headers
    if (origin !== undefined && origin !== deps.ownOrigin && !admission.entry.corsOrigins.includes(origin)) {
      return 'origin_not_allowed: the game does not allow pages of this origin.'
    }
    admissions.set(request, admission)
    return null
  }

  return {
    allowRequest: (request, decided) => {
      decide(request).then(
        (refused) => {
          if (refused !== null) deps.metrics.rejected()
          decided(refused, refused === null)
        },
        (why: unknown) => {
          deps.failed(why)
          deps.metrics.rejected()
          decided('unavailable: a store is away. Ask for a new ticket in a moment.', false)
        },
      )
    },
    admitted: (request) => {
      const admission = admissions.get(request) ?? null
      admissions.delete(request)
      return admission
    },
    cors: ({ headers }, decided) => {
      const origin = headers.origin
      if (origin === undefined) {
        decided(null, { origin: false })
        return
      }
      const asked = origins.has(origin) ? Promise.resolve(true) : deps.corsAllowedByAny(origin)
      asked
        .then((isAllowed) => {
          if (isAllowed) origins.set(origin, true)
          return isAllowed
        })
        .catch(() => false)
        .then((isAllowed) => decided(null, { origin: isAllowed ? origin : false }))
    },
  }
}

function ticketIn({ url = '' }: IncomingMessage): string | null {
  const mark = url.indexOf('?')
  const given = mark < 0 ? [] : new URLSearchParams(url.slice(mark + 1)).getAll('ticket')
  const [ticket] = given
  return ticket !== undefined && given.length === 1 && ticket.length <= TICKET_MAX_CHARACTERS ? ticket : null
}
