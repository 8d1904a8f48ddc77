// Every route, in one table.

import type { Route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { gameRoutes } from './games.ts'
import { handshakeRoutes } from './handshake.ts'
import { keyRoutes } from './keys.ts'
import { leaderboardRoutes } from './leaderboards.ts'
import { playerRoutes } from './player.ts'
import { playersRoutes } from './players.ts'
import { scoreRoutes } from './scores.ts'

export function allRoutes(deps: RouteDeps): Route[] {
  return [
    ...handshakeRoutes(deps),
    ...gameRoutes(deps),
    ...keyRoutes(deps),
    ...leaderboardRoutes(deps),
    ...scoreRoutes(deps),
    ...playersRoutes(deps),
    ...playerRoutes(deps),
  ]
}
