// The middleware after the router: answers calls that match no route. An unknown path is 404; a known path with another
// method is a browser's CORS preflight, or 405 with Allow.

import { Refusal } from '../../domain/decider.ts'
import { HttpRefusal } from '../problem.ts'
import { answer } from './answer.ts'
import type { Context, Middleware } from './context.ts'
import { isAllowed, preflightHeaders } from './cors.ts'
import type { RawRoute } from './deps.ts'
import { setAudience } from './raw-route.ts'
import type { ApiRouter } from './router.ts'
import type { Services } from './services.ts'

const NO_SUCH_PATH = 'There is nothing at this path. GET /api/openapi.json describes all paths.'

export function otherMethods(services: Services, router: ApiRouter, rawRoutes: readonly RawRoute[]): Middleware {
  return async (ctx) => {
    const { layers } = ctx.state.match
    if (layers.length === 0) throw new Refusal('not_found', 'not_found', NO_SUCH_PATH)
    const allowed = [...new Set(layers.flatMap(({ methods }) => methods))].sort()
    const { origin, 'access-control-request-method': requested } = ctx.req.headers
    if (ctx.method === 'OPTIONS' && origin !== undefined && requested !== undefined) {
      await findAudience(ctx, router, rawRoutes, requested)
      const headers = await preflight(services, ctx, origin, allowed)
      return answer(services, ctx, { status: 200, body: {}, headers })
    }
    const detail = `This path supports ${allowed.join(', ')}.`
    throw new HttpRefusal(405, 'method_not_allowed', detail, { Allow: allowed.join(', ') })
  }
}

/** A file link belongs to one game, also in the preflight of a call to it. */
async function findAudience(ctx: Context, router: ApiRouter, rawRoutes: readonly RawRoute[], requested: string) {
  const { layer, params } = router.match(ctx.state.path, requested)
  const route = rawRoutes.find((raw) => layer?.name === raw.path && layer.methods.includes(raw.method))
  if (route !== undefined) await setAudience(ctx, route, params)
}

async function preflight({ deps, originHints }: Services, ctx: Context, origin: string, allowed: readonly string[]) {
  const { audience } = ctx.state
  return preflightHeaders(deps, origin, audience, allowed).catch(async (refusal: unknown) => {
    await originHints(origin, (other) => isAllowed(deps, other, audience))
    throw refusal
  })
}
