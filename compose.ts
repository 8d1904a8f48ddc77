// What each part of the program is handed, made from the stores and the configuration.

import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { CommandDeps, FileCommandDeps } from './commands/deps.ts'
import type { Config } from './config.ts'
import { keyedDigest } from './credentials/master.ts'
import { freshMinting, keyedMinting } from './credentials/mint.ts'
import type { Tokens } from './credentials/tokens.ts'
import { BEHIND_AFTER_MS } from './http/pipeline/consistency.ts'
import type { PipelineDeps } from './http/pipeline/deps.ts'
import type { Intents } from './http/pipeline/idempotency.ts'
import type { RouteDeps } from './http/routes/deps.ts'
import { viewsOver } from './projections/all.ts'
import { history } from './projections/history.ts'
import type { Progress } from './projections/progress.ts'
import { viewKey } from './projections/projection.ts'
import { authenticate } from './queries/access.ts'
import { callOf } from './queries/call.ts'
import type { QueryDeps } from './queries/deps.ts'
import { findGame } from './queries/game.ts'
import { historyInViews } from './queries/history.ts'
import { findKey } from './queries/key.ts'
import { isAllowedByAny } from './queries/origin.ts'
import type { Stores } from './stores/contract/stores.ts'
import { createRates } from './stores/embedded/transient.ts'

export interface Parts {
  readonly config: Config
  readonly stores: Stores
  readonly commands: FileCommandDeps
  readonly progress: Progress
  readonly tokens: Tokens
  readonly log: Logger
  readonly metrics: Registry
  /** Unix milliseconds. */
  now(): number
}

/** Over stores of which the views at least are complete. */
export function queryDeps({ stores }: { readonly stores: Pick<Stores, 'history' | 'views' | 'rankings'> }): QueryDeps {
  const views = new Map(viewsOver(stores).map((view) => [view.name, viewKey(view)]))
  return {
    ...stores,
    history: stores.history ?? historyInViews(stores.views, viewKey(history)),
    viewKey: (name) => {
      const key = views.get(name)
      if (key === undefined) throw new Error(`there is no view ${name}`)
      return key
    },
  }
}

export function routeDeps({ stores, commands, progress, tokens }: Parts, queries: QueryDeps): RouteDeps {
  return {
    commands,
    fileCommands: commands,
    queries,
    handshake: {
      transient: stores.transient,
      vault: stores.vault,
      tokens,
      keys: commands.keys,
      keyOf: async (prefix) => (await findKey(queries, prefix))?.state ?? null,
    },
    seen: async (written) => {
      if (written !== null) await progress.waitFor(written.game, written.position, BEHIND_AFTER_MS)
    },
  }
}

export function pipelineDeps(parts: Parts, queries: QueryDeps, ready: () => boolean): PipelineDeps {
  const { stores, progress, tokens, config, commands, log, metrics } = parts
  return {
    authenticate: (token, nowMs) => authenticate(queries, tokens, token, nowMs),
    intents: intents(parts.commands),
    commandSeen: (command) => callOf(queries, command),
    corsOrigins: async (game) => (await findGame(queries, game))?.state.corsOrigins ?? [],
    corsAllowedByAny: (origin) => isAllowedByAny(queries, origin),
    transient: stores.transient,
    rates: stores.rates,
    ratesOfThisNode: createRates(),
    rateLimits: config.rateLimits,
    installation: commands.keys.installation,
    progress: {
      waitFor: (game, position, timeoutMs) => progress.waitFor(game, position, timeoutMs),
      current: (game) => progress.current(game) ?? '',
    },
    log,
    metrics,
    now: () => parts.now(),
    ready,
  }
}

function intents({ keys }: CommandDeps): Intents {
  return {
    keyed: (caller, key) => keyedMinting(keys.mint, caller?.key ?? '', caller?.player ?? null, key),
    fresh: freshMinting,
    callHash: (call) => keyedDigest(keys.digest, 'call', call).toString('base64url'),
  }
}
