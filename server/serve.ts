// The listeners of a process: one for the API, the rooms and the pages for browsers, as far as it serves them, and the
// admin listener.

import { basename, join } from 'node:path'
import type { Statuses } from '../access/statuses.ts'
import { unsafeCast } from '../domain/event.ts'
import { EVENT_SCHEMAS, publishedSchema } from '../http/event-schemas/all.ts'
import { targetOf } from '../http/pipeline/context.ts'
import type { Ready } from '../http/pipeline/health.ts'
import type { RawRoute } from '../http/pipeline/router.ts'
import type { AsyncApi, EventType, OpenApi } from '../http/reference/documents.ts'
import { apiReference } from '../http/reference/pages.ts'
import type { Call, Route } from '../http/route.ts'
import { allRoutes } from '../http/routes/all.ts'
import { createAdminServer, createHttpServer, createRoomsListener, type HttpServer } from '../http/server.ts'
import { createSite, type Site } from '../http/site/site.ts'
import { readStaticFiles } from '../http/site/static-files.ts'
import type { RoomsServer } from '../realtime/server.ts'
import { VERSION } from '../runtime/version.ts'
import { linksOrigin } from '../stores/s3/address.ts'
import { type Parts, routeDeps } from './compose.ts'
import { edgeDeps, pipelineDeps } from './compose-pipeline.ts'
import type { Config } from './config.ts'

/** How long running requests have to finish after SIGINT or SIGTERM. */
const GRACE_MS = 10_000

interface Serving {
  readonly parts: Parts
  readonly statuses: Statuses
  readonly fileRoutes: readonly RawRoute[]
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

/** The documentation below /docs/, and `site` at all other paths. `url`: where the API is served. */
function withReference(site: Site, routes: readonly Route[], url: string): Site {
  const answered = (path: string) => bodyOf(routes, path)
  const reference = apiReference(async () => ({
    openApi: unsafeCast<OpenApi>(await answered('/api/openapi.json')),
    asyncApi: unsafeCast<AsyncApi>(await answered('/api/asyncapi.json')),
    events: [...EVENT_SCHEMAS].map(([type, schema]) => unsafeCast<EventType>(publishedSchema(type, schema, url))),
  }))
  return async (ctx) => (await reference(ctx, targetOf(ctx.req).path)) || site(ctx)
}

/** Our own documents have the types that the reference names. */
async function bodyOf(routes: readonly Route[], path: string): Promise<unknown> {
  const route = routes.find((one) => one.path === path)
  if (route === undefined) throw new Error(`there is no ${path}`)
  const call: Pick<Call, 'header'> = { header: () => null }
  const { body } = await route.handle(call as Call<never, never, never>)
  return JSON.parse(String(body))
}

/** The folder of a build; the program may run from it, or from the sources beside it. */
const PROGRAM = join(import.meta.dirname, '..')
const BUILD = basename(PROGRAM) === 'dist' ? PROGRAM : join(PROGRAM, 'dist')

type SiteConfig = Pick<Config, 'console' | 'publicUrl' | 'realtimeUrl' | 's3Url'>

/** `build`: the folder with the built pages. */
export async function openSite(config: SiteConfig, build: string = BUILD): Promise<Site> {
  return createSite({
    version: VERSION,
    console: config.console ? await readStaticFiles(join(build, 'console')) : 'off',
    consoleOrigins: consoleOrigins(config),
  })
}

/**
 * The API, the rooms, and the store of files. The page itself may have been opened under another name of this server.
 */
export function consoleOrigins({ publicUrl, realtimeUrl, s3Url }: SiteConfig): string[] {
  const rooms = new URL(realtimeUrl ?? publicUrl)
  const sockets = `${rooms.protocol === 'https:' ? 'wss:' : 'ws:'}//${rooms.host}`
  const files = s3Url === null ? [] : [linksOrigin(s3Url)]
  return [new URL(publicUrl).origin, rooms.origin, sockets, ...files]
}
