// The state of the installation, for the operator.

import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { statusShape } from './status-shapes.ts'

export function statusRoute(deps: Pick<RouteDeps, 'status'>): Route {
  return route({
    method: 'GET',
    path: '/api/sys/status/',
    summary: 'Read the state of the installation: health, lag of the views, parked events, versions',
    needs: { permission: 'sys:games' },
    tenantOnly: true,
    records: false,
    answers: { 200: statusShape },
    handle: async () => ({ status: 200, body: await deps.status() }),
  })
}
