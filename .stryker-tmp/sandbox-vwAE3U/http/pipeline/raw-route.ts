// The middleware of a raw route, which reads and writes bytes itself.

import { answer, setCommonHeaders } from './answer.ts'
import type { Context, Middleware } from './context.ts'
import type { RawRoute } from './deps.ts'
import { checkEncoding } from './router.ts'
import type { Services } from './services.ts'

export function serveRaw(services: Services, route: RawRoute): Middleware {
  return async (ctx) => {
    checkEncoding(ctx.state.path)
    await setAudience(ctx, route, ctx.params)
    await setCommonHeaders(services, ctx)
    const given = await route.handle(ctx)
    if (given !== null) await answer(services, ctx, given)
  }
}

/** Sets whose pages may read the answer, for requests with an Origin. */
export async function setAudience(ctx: Context, route: RawRoute, params: Context['params']): Promise<void> {
  if (route.game === undefined || ctx.req.headers.origin === undefined) return
  const game = await route.game(params)
  if (game !== null) ctx.state.audience = { game }
}
