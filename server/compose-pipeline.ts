// Dependencies of listeners and of the request pipeline, the statuses of callers, and the scope of idempotency keys.

import { authenticate } from '../access/authenticate.ts'
import { keysInLog } from '../access/key-in-log.ts'
import { STATUS_CACHED_EMBEDDED_MS, STATUS_CACHED_MS } from '../access/status-cache.ts'
import { createStatuses, type Statuses } from '../access/statuses.ts'
import type { CommandDeps } from '../commands/command-deps.ts'
import { limitsOf } from '../commands/game.ts'
import { keyedIds, randomIds } from '../credentials/command-ids.ts'
import { keyedDigest } from '../credentials/master.ts'
import { acceptingOldTokens } from '../credentials/old-sealed-token.ts'
import { createTokenSeal } from '../credentials/sealed-token.ts'
import { boardKeyStream } from '../domain/board-key.ts'
import { EDGE_LIMITS } from '../http/connections/limits.ts'
import type { Ready } from '../http/pipeline/health.ts'
import type { CommandContexts } from '../http/pipeline/idempotency.ts'
import type { PipelineDeps } from '../http/pipeline/services.ts'
import type { Caller } from '../http/route.ts'
import { findByKey } from '../queries/board-key.ts'
import { callOf, callsAfter } from '../queries/call.ts'
import { findGame } from '../queries/game.ts'
import { isAllowedByAny } from '../queries/origin.ts'
import { viewReached } from '../queries/reached.ts'
import { createRates } from '../stores/embedded/transient.ts'
import type { DeletedGames } from '../stores/log-decorators/hiding/deleted-games.ts'
import { type Parts, recordedLastUsed } from './compose.ts'
import type { Config } from './config.ts'

export const edgeDeps = ({ metrics, maxConnections, config: { trustedProxies, rateLimits } }: Parts) => ({
  metrics,
  trustedProxies,
  rateLimits,
  edgeLimits: { connections: { ...EDGE_LIMITS.connections, perProcess: maxConnections } },
})

export function pipelineDeps(parts: Parts, statuses: Statuses, ready: Ready): PipelineDeps {
  const { stores, queries, progress, tokens, commands, log } = parts
  const lastUsed = recordedLastUsed(parts, 'last-used')
  return {
    ...edgeDeps(parts),
    authenticate: async (token, nowMs) => {
      const access = await authenticate(statuses, tokens, token, nowMs)
      lastUsed.note(access.key, nowMs)
      return access
    },
    contexts: contexts(parts.commands),
    boardByKey: (game, key) => findByKey(queries, game, key),
    commandSeen: (command) => callOf(queries, command),
    firstClaim: async (game, key) => {
      const [first] = await stores.log.readStream(boardKeyStream(game, key), 0, 1)
      return first?.position ?? null
    },
    callsReached: (game) => viewReached(queries.views, queries.viewKey('commands'), game),
    callsAfter: (of, position) => callsAfter(stores.log, of, position),
    corsOrigins: async (game) => (await findGame(queries, game))?.state.corsOrigins ?? [],
    corsAllowedByAny: (origin) => isAllowedByAny(queries, origin),
    transient: stores.transient,
    rates: stores.rates,
    recordedBytesPerDay: async (game) => (await limitsOf(commands, game)).recordedBytesPerDay,
    ratesOfThisNode: createRates(),
    consistency: acceptingOldTokens(createTokenSeal(commands.keys.consistency), commands.keys.oldConsistency),
    progress: {
      waitFor: (game, position, timeoutMs) => progress.waitFor(game, position, timeoutMs),
      current: (game) => progress.current(game) ?? '',
    },
    log,
    now: () => parts.now(),
    ready,
  }
}

/**
 * The scope of an idempotency key: usually the API key (and the player). Before sign-in many devices share one game
 * client key, so there the token is part of the scope: no device may receive the answer to another device's request.
 */
function actorOf(caller: Caller | null): string {
  if (caller === null) return ''
  const isAnyDevice = caller.kind === 'client' && caller.player === null
  return isAnyDevice ? `${caller.key} ${caller.token ?? ''}` : caller.key
}

function contexts({ keys }: CommandDeps): CommandContexts {
  return {
    keyed: (caller, key) => keyedIds(keys.generator, actorOf(caller), caller?.player ?? null, key),
    fresh: randomIds,
    callHash: (call) => keyedDigest(keys.digest, 'call', call).toString('base64url'),
  }
}

export function createNodeStatuses(
  { config, queries, stores, revocations, cacheSizes }: Parts,
  deletedGames: DeletedGames,
): Statuses {
  return createStatuses(queries, revocations, {
    keyInLog: keysInLog(stores.log),
    isDeleted: deletedGames.has,
    cachedMs: statusCachedMs(config),
    maxCached: cacheSizes.statuses,
  })
}

/** How long a status is cached, in milliseconds: longer without servers. */
export const statusCachedMs = ({ servers }: Pick<Config, 'servers'>): number =>
  servers === null ? STATUS_CACHED_EMBEDDED_MS : STATUS_CACHED_MS
