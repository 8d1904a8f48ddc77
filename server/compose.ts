// Creates the dependencies of each part of the program from the stores and the configuration.

import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { authenticate } from '../access/authenticate.ts'
import { createLastUsed, type LastUsed, type LastUsedKind } from '../access/last-used.ts'
import type { NodeRevocations } from '../access/revocations.ts'
import type { Statuses } from '../access/statuses.ts'
import type { CommandDeps, FileCommandDeps, NodeCommandDeps } from '../commands/command-deps.ts'
import type { DownloadUsage } from '../commands/download-usage.ts'
import { gameOf } from '../commands/load-state.ts'
import { createLockOut } from '../commands/sign-in/lock-out.ts'
import { bytesStored, linkState } from '../commands/upload.ts'
import { randomIds } from '../credentials/command-ids.ts'
import { createPasswords } from '../credentials/passwords.ts'
import type { Tokens } from '../credentials/tokens.ts'
import { bucketStream } from '../domain/bucket.ts'
import { uploadStream } from '../domain/upload.ts'
import type { LocalFileDeps } from '../http/files/deps.ts'
import { readExamples } from '../http/openapi/examples.ts'
import type { Checks, Ready } from '../http/pipeline/health.ts'
import type { EventRouteDeps, RouteDeps } from '../http/routes/deps.ts'
import { Followers } from '../http/routes/followers.ts'
import { type BackupSource, backupLines } from '../portability/backup/backup-lines.ts'
import { viewsOver } from '../projections/all.ts'
import { entries } from '../projections/entries.ts'
import { history } from '../projections/history.ts'
import { past } from '../projections/past.ts'
import type { Progress } from '../projections/progress.ts'
import { viewKey } from '../projections/projection.ts'
import { createLastVerification } from '../projections/verify/last-verification.ts'
import { countExisting } from '../queries/count-existing.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { historyInViews } from '../queries/history.ts'
import { createOverviews } from '../queries/overview/overview.ts'
import { PastBoards, pastLimits } from '../queries/past/boards.ts'
import { findPlayer } from '../queries/player.ts'
import { createPreviews } from '../queries/previews.ts'
import { viewReached } from '../queries/reached.ts'
import { createListScores } from '../queries/scores/list.ts'
import { asyncApiDocument } from '../realtime/asyncapi.ts'
import { VERSION } from '../runtime/version.ts'
import type { LocalFiles } from '../stores/contract/local-files.ts'
import type { Mail } from '../stores/contract/mail.ts'
import type { Stores } from '../stores/contract/stores.ts'
import { isOfOtherRestore } from '../stores/log-decorators/restored/positions.ts'
import type { Config } from './config.ts'
import type { CacheSizes, Shares } from './memory.ts'
import { countedReads } from './metrics/process-metrics.ts'
import { createBuildOrders } from './node/build-orders.ts'
import type { NodeBuilds } from './node/builds.ts'
import { takeOverDeps } from './node/take-over.ts'
import { statusOf } from './status.ts'
import { verifier } from './verify.ts'

export interface Parts {
  readonly config: Config
  readonly stores: Stores
  readonly commands: NodeCommandDeps
  readonly queries: QueryDeps
  readonly progress: Progress
  readonly tokens: Tokens
  readonly revocations: NodeRevocations
  readonly log: Logger
  readonly shares: Shares
  readonly cacheSizes: CacheSizes
  readonly maxConnections: number
  readonly metrics: Registry
  /** Null if this installation cannot send mail. */
  readonly mail: Mail | null
  /** The stores with encrypted data; null if not all are embedded. */
  readonly backedUp: BackupSource | null
  /** Aborts when this node begins to stop; ends open-ended work such as event streams. */
  readonly stopping: AbortSignal
  readonly builds: Pick<NodeBuilds, 'keyOf' | 'refresh'>
  /** Unix milliseconds. */
  now(): number
}

/** Requires up-to-date views. */
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

export function routeDeps(parts: Parts, statuses: Statuses, ready: Ready): RouteDeps {
  const reads = countedReads(parts.metrics)
  const { stores, queries, tokens, mail, backedUp } = parts
  const counting: CommandDeps['countExisting'] = (kind, game) => countExisting(queries, kind, game)
  const commands = { ...parts.commands, countExisting: counting }
  const takeOver = takeOverDeps(parts)
  const events = eventDeps(parts)
  const { reached } = events
  const oneTime = { transient: stores.transient, tokens, keyOf: (prefix: string) => statuses.key(prefix) }
  const rooms = roomsDeps(parts)
  return {
    commands,
    fileCommands: commands,
    queries,
    handshake: { ...oneTime, vault: stores.vault, keys: commands.keys },
    statuses,
    signIn: {
      ...takeOver,
      playerInViews: async (id) => (await findPlayer(queries, id))?.state ?? null,
      transient: stores.transient,
      windows: stores.rates,
      passwords: createPasswords(),
      tokens,
      lockOut: createLockOut(stores.rates, parts.config.addressLimits),
      countsNetworks: rooms.countsNetworks,
      addressLimits: parts.config.addressLimits,
      mail,
    },
    renewing: { queries, statuses, tokens, sessionUsed: recordedLastUsed(parts, 'session-used') },
    rooms,
    waitForProjection: takeOver.waitForProjection,
    mayStill: async (token, permission) => (await authenticate(statuses, tokens, token, parts.now())).may(permission),
    events,
    past: new PastBoards(
      {
        queries,
        log: commands.log,
        reached,
        activeBuilds: () => [past, history].map((view) => parts.builds.keyOf(viewKey(view))).join(),
      },
      pastLimits(parts.shares.pastKept, parts.shares.pastFolds),
      reads,
    ),
    previews: createPreviews({ queries, reached, maxBytes: parts.shares.previews, queue: reads }),
    reads,
    listScores: createListScores(queries, parts.cacheSizes.pageCharacters),
    overviews: createOverviews(queries, reads),
    verifying: {
      run: verifier(stores, parts.config.dataDir, true, parts.now),
      last: createLastVerification(stores.views).read,
      stopping: parts.stopping,
    },
    buildOrders: createBuildOrders(stores, parts.builds, parts.now),
    backup: backedUp && ((request, ending) => backupLines(backedUp, request, ending)),
    consoleLinks: { ...oneTime, isOn: parts.config.console },
    status: statusOf(parts, ready),
  }
}

function roomsDeps({ stores, config }: Pick<Parts, 'stores' | 'config'>): RouteDeps['rooms'] {
  const url = config.realtimeUrl ?? config.publicUrl
  return {
    transient: stores.transient,
    store: stores.rooms,
    countsNetworks: config.rateLimits !== 'off',
    url,
    secret: config.realtimeSecret,
    document: () => asyncApiDocument({ version: VERSION, url, examples: readExamples().rooms }),
  }
}

export function eventDeps(parts: Pick<Parts, 'stores' | 'queries' | 'stopping' | 'now'>): EventRouteDeps {
  const { stores, queries, stopping, now } = parts
  return {
    history: queries.history,
    // Only an embedded log has a history of its own, and streams with positions.
    ...(stores.history !== null && { streams: stores.log }),
    reached: historyReached(stores),
    isPosition: async (position) => (await stores.log.eventAt(position)) !== null,
    isFromBeforeRestore: async (position) => isOfOtherRestore(position, await stores.log.head()),
    followers: new Followers(),
    stopping,
    now,
  }
}

/** Dependencies of the local file store's routes. Each call runs a command of its own, without a caller. */
export function localFileDeps(
  commands: FileCommandDeps,
  files: LocalFiles,
  { downloadUsage, locks, now }: Pick<LocalFileDeps, 'locks' | 'now'> & { readonly downloadUsage: DownloadUsage },
): LocalFileDeps {
  const newContext = () => ({ ...randomIds(), call: null, repeated: false, actor: null, request: null, nowMs: now() })
  return {
    files,
    locks,
    now,
    linkState: (upload) => linkState(commands, upload, now()),
    bytesStored: (upload, stored) => bytesStored(commands, upload, stored, newContext()),
    reserveBytes: downloadUsage.reserveBytes,
    gameOfBucket: (bucket) => gameOf(commands, bucketStream(bucket)),
    gameOfUpload: (upload) => gameOf(commands, uploadStream(upload)),
  }
}

/** A node whose views lag further behind the log than this is not ready. */
const MAX_LAG_MS = 30_000

export function readinessChecks(
  { log, mayAppend, views, rankings }: Stores,
  lagMs: () => Promise<number>,
  /** How many files have no bytes, and why this process may not write to the file store, or null. */
  files: { missing(): number; fault(): string | null },
  clockWarning: () => string | null,
): Checks {
  return {
    clock: async () => {
      const warning = clockWarning()
      if (warning !== null) throw new Error(warning)
    },
    log: async () => {
      await log.head()
      await mayAppend?.()
    },
    documents: () => views.list(),
    rankings: () => rankings.of(viewKey(entries), 0).size(''),
    views: async () => {
      const behindMs = await lagMs()
      if (behindMs > MAX_LAG_MS) throw new Error(`they are ${Math.round(behindMs / 1_000)} s behind the log`)
    },
    files: async () => {
      const [missing, fault] = [files.missing(), files.fault()]
      if (fault !== null) throw new Error(fault)
      if (missing > 0) throw new Error(`${missing} without their bytes: scorebook files check names them`)
    },
  }
}

/** The days of last use, with failures in the log. */
export function recordedLastUsed({ stores, log }: Pick<Parts, 'stores' | 'log'>, kind: LastUsedKind): LastUsed {
  return createLastUsed(stores.vault, kind, (error) =>
    log.warn({ kind, failure: String(error) }, 'a day of last use could not be recorded'),
  )
}

export type HistoryStores = Pick<Stores, 'history' | 'log' | 'views'>

/** The position up to which a game's history index is complete: the log's head, or the history view's position. */
export const historyReached =
  ({ history: historyOfLog, log, views }: HistoryStores) =>
  (game: string) =>
    historyOfLog === null ? viewReached(views, viewKey(history), game) : log.head()
