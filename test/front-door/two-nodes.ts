// Two nodes of one installation in this process, each on its own port. They share the log, the vault and what Redis
// would store; each has its own read models, so that those of one can be stalled.

import { pino } from 'pino'
import { Registry } from 'prom-client'
import { keysInLog } from '../../access/key-in-log.ts'
import { NodeRevocations } from '../../access/revocations.ts'
import { createStatuses } from '../../access/statuses.ts'
import type { CommandDeps } from '../../commands/command-deps.ts'
import { createHandler } from '../../commands/handle.ts'
import { issue } from '../../commands/key.ts'
import { randomIds } from '../../credentials/command-ids.ts'
import { workingKeys } from '../../credentials/master.ts'
import { createTokens } from '../../credentials/tokens.ts'
import { allRoutes } from '../../http/routes/all.ts'
import { createHttpServer } from '../../http/server.ts'
import { ALL_VIEWS } from '../../projections/all.ts'
import { createApplier } from '../../projections/create-applier.ts'
import { Progress } from '../../projections/progress.ts'
import { type RunDeps, run } from '../../projections/run.ts'
import { type Parts, queryDeps, routeDeps } from '../../server/compose.ts'
import { pipelineDeps } from '../../server/compose-pipeline.ts'
import { memoryHere } from '../../server/memory.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { CodeMail, Mail } from '../../stores/contract/mail.ts'
import type { Revocations } from '../../stores/contract/revocations.ts'
import type { Stores } from '../../stores/contract/stores.ts'
import { openEmbeddedMemory } from '../../stores/embedded/open.ts'
import { STATUS_OPTIONS } from '../access/status-options.ts'
import { BASE_CONFIG } from '../base-config.ts'
import { createMemoryFiles } from '../memory/files.ts'
import { createMemoryLog } from '../memory/log.ts'
import { ownsAll } from '../memory/ownership.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { createMemoryViews } from '../memory/views.ts'
import { startViews } from '../projections/start-views.ts'
import { EMBEDDED } from '../servers/store-urls.ts'
import { createHttpClient } from './http-client.ts'
import { hmacSigner, type World } from './world.ts'

/** Keys that the nodes derive from their common master key. */
export const NODE_KEYS = workingKeys(Buffer.alloc(32, 7))

export interface Node extends World {
  /** Stops its views, which then apply no further event. */
  stall(): Promise<void>
  /** Continues its views at their position. */
  goOn(): void
  /** Resolves when its views have applied all events that the log has now. */
  caughtUp(): Promise<void>
  /** Whether it can reach the store of revocations. */
  reachable: boolean
}

export interface Nodes {
  readonly a: Node
  readonly b: Node
  /** What either node sent, the oldest first. */
  readonly mails: readonly CodeMail[]
  /** The log that they share, unencrypted. */
  readonly log: Log
  close(): Promise<void>
}

/** What the nodes share. */
interface Shared {
  readonly stores: Omit<Stores, 'views' | 'rankings'>
  readonly clock: { nowMs: number }
  readonly mail: Mail
}

export async function openNodes(): Promise<Nodes> {
  const log = createMemoryLog()
  const clock = { nowMs: Date.now() }
  const mails: CodeMail[] = []
  const mail: Mail = { send: (one) => mails.push(one) > 0, close: async () => {} }
  const onServers = { newestTime: async () => null, logErasure: null, streamErasure: null, documentErasure: null }
  const stores = {
    ...openEmbeddedMemory(createRankings()),
    ...onServers,
    log,
    history: log,
    vault: createMemoryVault(),
  }
  const shared = { stores, clock, mail }
  const commands = commandsOn(shared.stores, async () => {})
  const fresh = { game: null, name: 'operator', kind: 'server', algorithm: 'hmac-sha256' } as const
  const context = { ...randomIds(), call: null, repeated: false, actor: null, request: null, nowMs: clock.nowMs }
  const { prefix, shown } = await issue(commands, { ...fresh, permissions: ['sys:games'] }, context)
  const operator = hmacSigner(prefix, 'secret' in shown ? shown.secret : '')
  const [a, b] = [await openNode(shared, operator), await openNode(shared, operator)]
  return { a, b, mails, log, close: async () => void (await Promise.all([a.close(), b.close()])) }
}

function commandsOn({ log, vault }: Pick<Stores, 'log' | 'vault'>, publish: CommandDeps['publish']) {
  return { handler: createHandler(log), log, vault, keys: NODE_KEYS, publish }
}

async function openNode({ stores: shared, clock, mail }: Shared, operator: World['operator']): Promise<Node> {
  const reach = <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) => {
    return async (...args: Args) => {
      if (!node.reachable) throw new StoreUnavailable('planted')
      return call(...args)
    }
  }
  const { note, since, find } = shared.revocations
  const own: Revocations = { note: reach(note), since: reach(since), find: reach(find) }
  const stores: Stores = { ...shared, revocations: own, views: createMemoryViews(), rankings: createRankings() }
  const now = () => clock.nowMs
  const revocations = new NodeRevocations(own, { now, elapsedMs: () => performance.now() })
  const commands = commandsOn(stores, (changes) => revocations.note(changes))
  const progress = new Progress()
  let stopped = new AbortController()
  const failed = (what: string) => (error: unknown) => {
    throw new Error(`${what}: ${error}`)
  }
  const runDeps: RunDeps = {
    ...stores,
    history: queryDeps({ stores }).history,
    installation: commands.keys.installation,
    progress,
    applied: () => {},
    catchingUp: () => {},
    reopening: failed('reopening'),
    parked: failed('parked'),
  }
  const appliers = ALL_VIEWS.map((view) => createApplier(view, runDeps))
  await startViews({ deps: runDeps, appliers })
  let running = run(runDeps, appliers, ownsAll, stopped.signal)

  const files = createMemoryFiles(now)
  const tokens = createTokens(commands.keys.token)
  const log = pino({ level: 'silent' })
  const parts: Parts = {
    ...{ config: BASE_CONFIG, stores, commands: { ...commands, files }, progress, tokens, revocations, log, now, mail },
    queries: queryDeps({ stores }),
    ...memoryHere(BASE_CONFIG.roles, null),
    metrics: new Registry(),
    stopping: new AbortController().signal,
    builds: { keyOf: (view) => view, refresh: async () => {} },
    backedUp: null,
  }
  const statuses = createStatuses(parts.queries, revocations, { ...STATUS_OPTIONS, keyInLog: keysInLog(stores.log) })
  const routes = allRoutes(
    routeDeps(parts, statuses, () => true),
    { version: '0', url: BASE_CONFIG.publicUrl },
  )
  const server = createHttpServer(
    pipelineDeps(parts, statuses, () => true),
    routes,
  )
  const port = await server.listen(0, BASE_CONFIG.host)
  const client = createHttpClient(port)

  const stall = async () => {
    stopped.abort()
    await running
  }
  const goOn = () => {
    stopped = new AbortController()
    running = run(runDeps, appliers, ownsAll, stopped.signal)
  }
  const close = async () => {
    client.close()
    revocations.stop()
    await server.close(0)
    await stall()
  }
  const caughtUp = async () => {
    for (const { meta, position } of await stores.log.readAll(null, 10_000)) {
      if (!(await progress.waitFor(meta.game, position, 10_000))) throw new Error('the views make no progress')
    }
  }
  const restart = async () => {
    throw new Error('these nodes are never restarted')
  }
  const unneeded = { dataDir: '', storeUrls: EMBEDDED, files, lines: [], end: close, restart }
  const call: World['call'] = (method, path, sent) => client.call(method, path, sent)
  const node: Node = { ...unneeded, clock, port, operator, call, close, stall, goOn, caughtUp, reachable: true }
  await revocations.start()
  return node
}
