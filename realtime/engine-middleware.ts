// Checks requests under `/socket.io/` before Engine.IO handles them. A request that names no live connection counts
// against the rate of its network address, like a handshake, and its body is not read. A second WebSocket for one
// connection is rejected.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'socket.io'
import type { ConnectionAdmissionDeps } from './connection-admission.ts'
import type { DropReason } from './metrics.ts'
import { RATE_LIMITED, rejectConnection, SECOND_WEBSOCKET } from './reject-connection.ts'

/** Undeclared members of Engine.IO's connections that are used here. */
interface Upgradable {
  readonly upgrading?: boolean
  readonly upgraded?: boolean
}

export interface EngineMiddlewareDeps extends Pick<ConnectionAdmissionDeps, 'admits'> {
  /** Called when a request that names no live connection is rejected. */
  rejected(): void
  dropped(reason: DropReason): void
}

/** Returns an Engine.IO middleware. It answers each request that it does not pass on. */
export function engineMiddleware(io: Server, { admits, dropped, rejected }: EngineMiddlewareDeps) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const sid = sidOf(request)
    // A handshake: Engine.IO calls `allowRequest`, which calls `admits`.
    if (sid === null) {
      next()
      return
    }
    const known = connectionOf(io, sid)
    if (known === null) {
      // The body is not read, so the TCP connection must close.
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

/** The session id that Engine.IO parsed from the query; null if there is none. */
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
