// Every route, in one table.

import type { Route } from '../route.ts'
import { backupRoutes } from './backup.ts'
import { bucketRoutes } from './buckets.ts'
import { consoleRoutes } from './console.ts'
import type { RouteDeps } from './deps.ts'
import { eventRoutes, wholeLogRoutes } from './events.ts'
import { fileRoutes } from './files.ts'
import { folderRoutes } from './folders.ts'
import { gameLimitRoutes, gameRoutes } from './games.ts'
import { handshakeRoutes } from './handshake.ts'
import { keyRoutes } from './keys.ts'
import { leaderboardRoutes } from './leaderboards.ts'
import { manySubmissionsRoute } from './many-submissions.ts'
import { moderationRoutes } from './moderation.ts'
import { operatorRoutes } from './operators.ts'
import { overviewRoute } from './overview.ts'
import { pastRoutes } from './past.ts'
import { playerRoutes } from './player.ts'
import { playerExportRoute } from './player-export.ts'
import { playerDetailRoutes, playersRoutes } from './players.ts'
import { roomListeningRoutes, roomRoutes } from './rooms.ts'
import { ruleChangeRoutes } from './rule-changes.ts'
import { scoreRoutes } from './scores.ts'
import { signInRoutes } from './sign-in.ts'
import { asyncApiRoute, eventSchemaRoutes, openApiRoute } from './static-documents.ts'
import { statusRoute, viewsRoutes } from './system.ts'
import { ticketRoutes } from './tickets.ts'
import { uploadRoutes } from './uploads.ts'
import { verifyRoutes } from './verify.ts'

/** `info` is what the OpenAPI document says of this service. */
export function allRoutes(deps: RouteDeps, info: { version: string; url: string }): Route[] {
  const routes = [
    ...handshakeRoutes(deps),
    ...gameRoutes(deps),
    ...gameLimitRoutes(deps),
    ...keyRoutes(deps),
    ...operatorRoutes(deps),
    ...leaderboardRoutes(deps),
    ...ruleChangeRoutes(deps),
    ...pastRoutes(deps),
    ...scoreRoutes(deps),
    manySubmissionsRoute(deps),
    ...playersRoutes(deps),
    playerExportRoute(deps),
    ...playerDetailRoutes(deps),
    ...moderationRoutes(deps),
    ...playerRoutes(deps),
    ...signInRoutes(deps),
    ...ticketRoutes(deps),
    ...bucketRoutes(deps),
    ...folderRoutes(deps),
    ...fileRoutes(deps),
    ...uploadRoutes(deps),
    ...roomRoutes(deps),
    ...roomListeningRoutes(deps),
    ...consoleRoutes(deps),
    asyncApiRoute(deps),
    ...eventSchemaRoutes(info),
    ...eventRoutes(deps),
    overviewRoute(deps),
    statusRoute(deps),
    ...verifyRoutes(deps),
    ...viewsRoutes(deps),
    ...wholeLogRoutes(deps),
    ...backupRoutes(deps),
  ]
  return [...routes.filter(({ isOff }) => isOff !== true), openApiRoute(routes, info)]
}
