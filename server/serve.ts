// The listeners of a process: one for the API and the rooms, if it serves them, and the admin listener.

import type { Statuses } from '../access/statuses.ts'
import type { Ready } from '../http/pipeline/health.ts'
import type { RawRoute } from '../http/pipeline/router.ts'
import { allRoutes } from '../http/routes/all.ts'
import { createAdminServer, createHttpServer, createRoomsListener, type HttpServer } from '../http/server.ts'
import type { RoomsServer } from '../realtime/server.ts'
import { VERSION } from '../runtime/version.ts'
import { type Parts, routeDeps } from './compose.ts'
import { edgeDeps, pipelineDeps } from './compose-pipeline.ts'
import { withReference } from './compose-reference.ts'
import { openSite } from './compose-site.ts'

/** How long running requests have to finish after SIGINT or SIGTERM. */
const GRACE_MS = 10_000

interface Serving {
  readonly parts: Parts
  readonly statuses: Statuses
  readonly fileRoutes: readonly RawRoute[]
  /** Null if this process does not serve them. */
  readonly rooms: RoomsServer | null
  /** Aborted when this process stops, to end open-ended work such as event streams. */
  readonly stopping: AbortController
}

interface Served {
  /** `port` is null if this process serves neither the API nor the rooms. */
  readonly ports: { readonly port: number | null; readonly adminPort: number }
  /** Stops accepting requests and finishes running ones. */
  close(): Promise<void>
}

/** Listens. On failure closes what it opened and rejects. `readiness` is the cached result of the readiness checks. */
export async function serve(serving: Serving, readiness: Ready): Promise<Served> {
  const { parts, rooms } = serving
  const { config, metrics } = parts
  let isReady = true
  const ready: Ready = () => isReady && readiness()
  const api = config.roles.has('api')
    ? await createApi(serving, ready)
    : rooms === null
      ? null
      : createRoomsListener(ready, edgeDeps(parts))
  if (api !== null) rooms?.attach(api.server)
  let admin = createAdminServer({ metrics, ready })
  const close = async () => {
    isReady = false
    serving.stopping.abort()
    // Close the rooms first: an HTTP server closes only after its last connection.
    await rooms?.close()
    await Promise.all([api?.close(GRACE_MS), admin.close(GRACE_MS)])
  }
  try {
    const port = api === null ? null : await api.listen(config.port, config.host)
    const adminPort = await admin.listen(config.adminPort, config.host).catch((failure: NodeJS.ErrnoException) => {
      if (!config.adminPortMayMove || failure.code !== 'EADDRINUSE') throw failure
      admin = createAdminServer({ metrics, ready })
      return admin.listen(0, config.host)
    })
    return { ports: { port, adminPort }, close }
  } catch (failure) {
    await close()
    throw failure
  }
}

async function createApi({ parts, statuses, fileRoutes }: Serving, ready: Ready): Promise<HttpServer> {
  const info = { version: VERSION, url: parts.config.publicUrl }
  const routes = allRoutes(routeDeps(parts, statuses, ready), info)
  const site = withReference(await openSite(parts.config), routes, info.url)
  return createHttpServer({ ...pipelineDeps(parts, statuses, ready), site }, routes, fileRoutes)
}
