// The API reference shows the documents that this process serves.

import { unsafeCast } from '../domain/event.ts'
import { EVENT_SCHEMAS, publishedSchema } from '../http/event-schemas/all.ts'
import { targetOf } from '../http/pipeline/context.ts'
import type { AsyncApi, EventType, OpenApi } from '../http/reference/documents.ts'
import { apiReference } from '../http/reference/reference.ts'
import type { Call, Route } from '../http/route.ts'
import type { Site } from '../http/site/site.ts'

/** The documentation below /docs/, and `site` at all other paths. `url`: where the API is served. */
export function withReference(site: Site, routes: readonly Route[], url: string): Site {
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
