// The composition root: picks the adapters, starts the views, the processes and the servers in order, and stops them in
// reverse.

import type { Logger } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { keysInLog } from './access/key-in-log.ts'
import { NodeRevocations } from './access/revocations.ts'
import { createStatuses } from './access/statuses.ts'
import type { CommandDeps, FileCommandDeps } from './commands/deps.ts'
import { createHandler } from './commands/handle.ts'
import { createSnapshots } from './commands/snapshots.ts'
import type { Config } from './config.ts'
import { type MasterSecrets, sealingKeys, workingKeys } from './credentials/master.ts'
import { createTokens } from './credentials/tokens.ts'
import { PERSONAL_FIELDS } from './domain/personal.ts'
import { fileDoor } from './http/files/routes.ts'
import { BEHIND_AFTER_MS } from './http/pipeline/consistency.ts'
import { createReadiness } from './http/pipeline/readiness.ts'
import { fileDoorDeps, type Parts, queryDeps, readinessChecks } from './node/compose.ts'
import { roomsDeps } from './node/compose-rooms.ts'
import { refuseHalfImport } from './node/half-import.ts'
import { joinNodes } from './node/join.ts'
import { watch, watchCommits, watchLag, watchRevocations } from './node/metrics.ts'
import { openMail } from './node/open-mail.ts'
import { openFiles, openStores, storesNamed } from './node/open-stores.ts'
import { makeOperator } from './node/operator.ts'
import { sealAnew } from './node/seal-anew.ts'
import { serve } from './node/serve.ts'
import { viewsOver } from './projections/all.ts'
import { Progress } from './projections/progress.ts'
import { viewKey } from './projections/projection.ts'
import { createRoomsServer } from './realtime/server.ts'
import type { FileStore } from './stores/contract/files.ts'
import { hasDoor } from './stores/contract/files-door.ts'
import { NO_FILES } from './stores/contract/no-files.ts'
import type { OpenedStores } from './stores/contract/stores.ts'
import { openDataFolder } from './stores/embedded/data-folder.ts'
import { openSealed } from './stores/sealing/open.ts'
import { VERSION } from './version.ts'

export interface Running {
  /** Null where this process serves neither the API nor the rooms. */
  readonly port: number | null
  readonly adminPort: number
  /** The operator key's file, where this start made one. */
  readonly operatorFile: string | null
  /** Stops accepting, finishes what runs, writes the last checkpoints, closes the stores. Once, however often called. */
  stop(): Promise<void>
}

/** In place of the configured store of files' bytes: one that has no doors in this process. */
export type OwnFiles = (commands: CommandDeps) => FileStore

/** Starts everything; rejects, with the stores closed again, where something cannot start. `now` is Unix milliseconds. */
export async function start(
  config: Config,
  log: Logger,
  now: () => number = Date.now,
  ownFiles: OwnFiles | null = null,
): Promise<Running> {
  const master = await openDataFolder(config.dataDir, config)
  const metrics = new Registry()
  const fatal = (why: string, failure?: Error) => {
    log.fatal({ failure: failure?.stack }, why)
    process.exit(1)
  }
  const failed = (error: Error) => fatal('the disk failed: stopping, as what was not acknowledged is unknown', error)
  const warn = (message: string) => log.warn(message)
  const notAlone = (why: string) => fatal(`not alone: ${why}. Set REDIS_URL for both, or run one of them`)
  const opened = await openStores(config, { onFailure: failed, onCommit: watchCommits(metrics), warn, now, notAlone })
  try {
    return await startOn(opened, { config, log, metrics, now, master, ownFiles, fatal })
  } catch (failure) {
    await opened.close()
    throw failure
  }
}

interface Setting {
  readonly config: Config
  readonly log: Logger
  readonly metrics: Registry
  readonly now: () => number
  readonly ownFiles: OwnFiles | null
  readonly master: MasterSecrets
  fatal(why: string): void
}

async function startOn(opened: OpenedStores, setting: Setting): Promise<Running> {
  const { config, log, metrics, now, master, fatal } = setting
  const { roles } = config
  const { stores, root } = await openSealed(opened, sealingKeys(master), PERSONAL_FIELDS)
  await refuseHalfImport(stores.vault)
  const keys = workingKeys(root)
  collectDefaultMetrics({ register: metrics })
  const revocations = new NodeRevocations(stores.revocations, { now, elapsedMs: () => performance.now() })
  await revocations.start()
  watchRevocations(metrics, revocations)
  const announce: CommandDeps['announce'] = (changes) => revocations.note(changes)
  const { log: events, vault } = stores
  const unkept = (why: unknown) =>
    log.warn({ failure: String(why) }, 'a snapshot was not kept or read: streams are longer')
  const handler = createHandler(events, undefined, createSnapshots(events, stores.views, unkept))
  const base: CommandDeps = { handler, log: events, vault, keys, announce }
  const filesHere =
    setting.ownFiles === null ? await openFiles(config, keys.link, { warn: (text) => log.warn(text) }) : null
  const files = setting.ownFiles?.(base) ?? filesHere ?? NO_FILES
  if (files === NO_FILES)
    log.warn('neither FILES_DIR nor S3_URL: files cannot be uploaded or downloaded, until one is set')
  const commands: FileCommandDeps = { ...base, files }
  const doors = filesHere === null || !hasDoor(filesHere) ? [] : fileDoor(fileDoorDeps(commands, filesHere, now))
  const release = async () => {
    revocations.stop()
    await files.close()
  }
  const progress = new Progress()
  const queries = queryDeps({ stores })
  const watching = watch(log, metrics)
  const joining = joinNodes({
    stores,
    commands,
    queries,
    progress,
    isProjector: roles.has('projector'),
    isAlone: config.redisUrl === null,
    log,
    now,
    watch: watching,
    fatal,
  })
  const node = await joining.catch(async (failure: unknown) => {
    await release()
    throw failure
  })
  watchLag(metrics, node.lagMs)
  const mail = roles.has('api') ? openMail(setting) : null
  try {
    const operatorFile =
      config.production || !roles.has('api') ? null : await makeOperator(commands, stores.log, config.dataDir, now())
    // So that the key just made opens the door at once.
    const head = operatorFile === null ? null : await stores.log.head()
    if (head !== null) await progress.waitFor(null, head, BEHIND_AFTER_MS)
    const tokens = createTokens(keys.token)
    const stopping = new AbortController()
    const parts: Parts = {
      ...setting,
      stopping: stopping.signal,
      stores,
      commands,
      queries,
      progress,
      tokens,
      revocations,
      mail,
    }
    const statuses = createStatuses(queries, revocations, keysInLog(stores.log))
    const rooms = roles.has('rooms') ? await createRoomsServer(roomsDeps(parts, statuses)) : null
    const checks = {
      ...readinessChecks(stores, node.lagMs, watching.missingFiles),
      ...(rooms === null ? {} : { rooms: rooms.check }),
    }
    const served = await serve({ parts, statuses, doors, rooms, stopping }, createReadiness(checks))
    const views = viewsOver(stores).map(viewKey)
    log.info({ version: VERSION, roles: [...roles], stores: storesNamed(config), ...served.ports, views }, 'ready')
    const resealing = sealAnew(opened, setting)
    const stop = async () => {
      await served.close()
      await resealing?.stop()
      await Promise.all([node.stop(), mail?.close()])
      await release()
      await opened.close()
      // What measures Node itself lives on, and would keep all that was measured.
      metrics.clear()
      log.info('stopped')
    }
    let stopped: Promise<void> | null = null
    return { ...served.ports, operatorFile, stop: () => (stopped ??= stop()) }
  } catch (failure) {
    await Promise.all([node.stop(), mail?.close()])
    await release()
    throw failure
  }
}
