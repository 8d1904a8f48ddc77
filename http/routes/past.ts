// Helpers for reads with `as_of`, and the rank history of a player.

import type { Instant } from '../../queries/past/deps.ts'
import { movementOf } from '../../queries/past/movement.ts'
import { fields, idText, wholeNumber } from '../fields.ts'
import { malformed } from '../problem.ts'
import { type Call, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { ownBoard } from './own.ts'
import { readCaller } from './read-caller.ts'
import { movementShape } from './shapes.ts'

/** Allowed clock difference between nodes: an instant just recorded on one may be requested from another. */
const MAX_CLOCK_SKEW_MS = 1_000
const POINTS_MAX = 1_000
const POINTS = 100

/** Throws 400 for an instant in the future. */
export function instantOf(call: Pick<Call, 'context' | 'caller' | 'network' | 'gone'>, asOf: string): Instant {
  const { nowMs } = call.context
  if (Date.parse(asOf) > nowMs + MAX_CLOCK_SKEW_MS) {
    throw malformed([{ pointer: '/as_of', detail: 'must not be in the future' }], 'The query')
  }
  return Object.assign(readCaller(call), { asOf, nowMs })
}

export function pastRoutes(deps: Pick<RouteDeps, 'queries' | 'past'>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/lb/:leaderboard/history/',
      summary: 'Read how a player’s rank and score have changed',
      needs: { permission: 'lb:{leaderboard}:scores' },
      tenantOnly: false,
      records: false,
      query: fields({
        player: idText.meta({ description: 'The id of the player.' }),
        points: wholeNumber(1, POINTS_MAX, 'Maximum number of points.').default(POINTS).meta({ default: POINTS }),
      }),
      answers: { 200: movementShape },
      refusals: ['reads_busy', 'board_too_large'],
      async handle(call) {
        const { caller, params, query } = call
        const board = await ownBoard(deps, caller, params.leaderboard ?? '')
        const now = new Date(call.context.nowMs).toISOString()
        const points = await movementOf(deps.past, board, query, instantOf(call, now))
        return { status: 200, body: { points } }
      },
    }),
  ]
}
