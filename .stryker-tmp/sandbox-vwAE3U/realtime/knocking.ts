// Requests under `/socket.io/` before Engine.IO looks at them: one that names no living connection is one call of its
// network address, as a handshake is, and its body is not waited for; a connection takes one WebSocket at a time.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'socket.io'
import type { ConnectionAdmissionDeps } from './connection-admission.ts'
import type { DropReason } from './metrics.ts'
import { RATE_LIMITED, rejectConnection, SECOND_WEBSOCKET } from './reject-connection.ts'

/** As much of Engine.IO's connections as is looked at beside what they declare. */
interface Upgradable {
  readonly upgrading?: boolean
  readonly upgraded?: boolean
}

export interface KnockingDeps extends Pick<ConnectionAdmissionDeps, 'admits'> {
  /** A request without a connection was refused, as a handshake is. */
  rejected(): void
  dropped(reason: DropReason): void
}

/** A middleware of Engine.IO: what it does not pass on is answered. */
export function knocking(io: Server, { admits, dropped, rejected }: KnockingDeps) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const sid = sidOf(request)
    // Engine.IO asks about a handshake itself, and then `admits` is asked.
    if (sid === null) {
      next()
      return
    }
    const known = connectionOf(io, sid)
    if (known === null) {
      // What is left of a body that nobody reads ends with the connection.
      response.setHeader('Connection', 'close')
      void admits(request).then((isAdmitted) => {
        if (isAdmitted) {
          next()
          return
        }
        rejected()
        rejectConnection(request, RATE_LIMITED)
      })
      return
    }
    const isUpgrade = request.headers.upgrade !== undefined
    if (isUpgrade && (known.upgrading === true || known.upgraded === true)) {
      dropped('upgrade')
      rejectConnection(request, SECOND_WEBSOCKET)
      return
    }
    next()
  }
}

/** As Engine.IO has read it from the address; null where there is none. */
function sidOf(request: IncomingMessage): string | null {
  const query: unknown = Reflect.get(request, '_query')
  const sid: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, 'sid') : undefined
  return typeof sid === 'string' && sid !== '' ? sid : null
}

function connectionOf({ engine }: Server, sid: string): Upgradable | null {
  const clients: unknown = Reflect.get(engine, 'clients')
  if (typeof clients !== 'object' || clients === null || !Object.hasOwn(clients, sid)) return null
  const found: unknown = Reflect.get(clients, sid)
  return typeof found === 'object' ? found : null
}
