// Two clients of the same API: over HTTP to the real server, and directly to the route handlers on embedded stores,
// behind the same schemas. The second one is faster and allows many more boards.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeRevocations } from '../../access/revocations.ts'
import { createStatuses } from '../../access/statuses.ts'
import type { NodeCommandDeps } from '../../commands/command-deps.ts'
import { createHandler } from '../../commands/handle.ts'
import { createLockOut } from '../../commands/sign-in/lock-out.ts'
import { randomIds } from '../../credentials/command-ids.ts'
import { sealingKeys, workingKeys } from '../../credentials/master.ts'
import { createPasswords } from '../../credentials/passwords.ts'
import { createTokens } from '../../credentials/tokens.ts'
import { Refusal } from '../../domain/decider.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { toProblem } from '../../http/problem.ts'
import { type Call, type Caller, JsonText, type Route } from '../../http/route.ts'
import { allRoutes } from '../../http/routes/all.ts'
import { ALL_VIEWS } from '../../projections/all.ts'
import { createApplier } from '../../projections/create-applier.ts'
import { Progress } from '../../projections/progress.ts'
import { type RunDeps, run } from '../../projections/run.ts'
import { createOverviews } from '../../queries/overview/overview.ts'
import { PastBoards } from '../../queries/past/boards.ts'
import { createPreviews } from '../../queries/previews.ts'
import { createListScores } from '../../queries/scores/list.ts'
import type { WindowsOptions } from '../../queries/windows/windows.ts'
import { READ_LIMITS, ReadQueue } from '../../queries/work-queue.ts'
import type { FairQueueLimits } from '../../runtime/fair-queue.ts'
import { DEFAULT_ADDRESS_LIMITS } from '../../runtime/rate-limits.ts'
import { eventDeps, queryDeps } from '../../server/compose.ts'
import { createBuildOrders } from '../../server/node/build-orders.ts'
import { indexing } from '../../server/windows.ts'
import type { Stores } from '../../stores/contract/stores.ts'
import { openEmbedded } from '../../stores/embedded/open.ts'
import { openSealed } from '../../stores/log-decorators/sealing/open.ts'
import { NO_FILES } from '../../stores/support/no-files.ts'
import { STATUS_OPTIONS } from '../access/status-options.ts'
import type { MadeGame } from '../front-door/game-fixtures.ts'
import type { World } from '../front-door/world.ts'
import { ownsAll } from '../memory/ownership.ts'
import { startViews } from '../projections/start-views.ts'
import { type ApiClient, HISTORY_START_MS } from './play.ts'

/**
 * Reads wait without bounds: a 503 would be reported as a difference. The histories of one game can be far more than its
 * share, because those of a game whose reads are slow stay open longest.
 */
const UNBOUNDED: FairQueueLimits = { running: READ_LIMITS.running, lanes: READ_LIMITS.lanes, waiting: [] }

/** One history at a time, as the server has one clock. */
export function httpApi(world: World, game: MadeGame, token: string): ApiClient {
  return {
    game: game.id,
    setTime: (nowMs) => {
      world.clock.nowMs = nowMs
    },
    call: (method, path, { query, body } = {}) => {
      const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
      return world.call(method, path + search, body === undefined ? { token } : { token, body })
    },
  }
}

export interface DirectService {
  /** A client for one more history; any number may be open at the same time. */
  open(): ApiClient
  close(): Promise<void>
}

/** Boards are distributed over this many games, and so over the partitions. */
const GAMES = 16

/** With `windows`, windows are indexed with these options; without, they are counted. */
export async function openDirectService(windows?: WindowsOptions): Promise<DirectService> {
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-model-'))
  const opened = await openEmbedded(folder, {
    onFailure: (error) => {
      throw error
    },
  })
  const masterKeys = sealingKeys({ current: Buffer.alloc(32, 7), previous: [] })
  const { stores, root } = await openSealed(opened, masterKeys, PERSONAL_FIELDS)
  const keys = workingKeys(root)
  const progress = new Progress()
  const rethrow = (error: unknown) => {
    throw error
  }
  const runDeps: RunDeps = {
    ...stores,
    history: queryDeps({ stores }).history,
    installation: keys.installation,
    progress,
    applied: () => {},
    catchingUp: () => {},
    parked: (_, __, error) => rethrow(error),
    reopening: rethrow,
  }
  const appliers = ALL_VIEWS.map((view) => createApplier(view, runDeps))
  await startViews({ deps: runDeps, appliers })
  const stopping = new AbortController()
  const running = run(runDeps, appliers, ownsAll, stopping.signal)
  const routes = routesOf(
    stores,
    {
      handler: createHandler(stores.log),
      log: stores.log,
      vault: stores.vault,
      keys,
      publish: async () => {},
      files: NO_FILES,
    },
    progress,
    windows,
  )
  const games = await Promise.all(Array.from({ length: GAMES }, () => makeDirectGame(routes)))
  let clientCount = 0
  return {
    open: () => directApi(routes, games[clientCount++ % GAMES] ?? null),
    close: async () => {
      stopping.abort()
      await running
      await opened.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface ServedRoutes {
  readonly routes: readonly Route[]
  seen(written: { game: string | null; position: string } | null): Promise<boolean>
}

const SEEN_TIMEOUT_MS = 10_000

function routesOf(
  stores: Stores,
  commands: NodeCommandDeps,
  progress: Progress,
  windows?: WindowsOptions,
): ServedRoutes {
  const counting = queryDeps({ stores })
  const queries = windows === undefined ? counting : indexing(counting, stores, windows)
  const revocations = new NodeRevocations(stores.revocations, { now: Date.now, elapsedMs: () => performance.now() })
  const statuses = createStatuses(queries, revocations, STATUS_OPTIONS)
  const seen: ServedRoutes['seen'] = async (written) => {
    if (written === null) return true
    const came = await progress.waitFor(written.game, written.position, SEEN_TIMEOUT_MS)
    if (!came) throw new Error('the views make no progress')
    return true
  }
  const tokens = createTokens(commands.keys.token)
  const handshake = {
    ...stores,
    tokens,
    keys: commands.keys,
    keyOf: statuses.key,
  }
  const signIn = {
    ...commands,
    ...stores,
    windows: stores.rates,
    passwords: createPasswords(),
    tokens,
    lockOut: createLockOut(stores.rates),
    countsNetworks: false,
    addressLimits: DEFAULT_ADDRESS_LIMITS,
    mail: null,
    openSessions: async () => [],
    waitForProjection: seen,
    playerInViews: async () => null,
  }
  const renewing = { queries, statuses, tokens, sessionUsed: { note() {} } }
  const info = { version: '0', url: 'http://127.0.0.1' }
  const rooms = {
    transient: stores.transient,
    store: { listWhole: async () => ({ rooms: [], count: 0, next: 0 }) },
    countsNetworks: false,
    url: info.url,
    secret: null,
    document: () => ({}),
  }
  const events = eventDeps({ stores, queries, stopping: new AbortController().signal, now: Date.now })
  const verifying = {
    run: () => Promise.reject(new Error('not used here')),
    last: async () => null,
    stopping: events.stopping,
  }
  const mayStill = async () => true
  const buildOrders = createBuildOrders(stores, { refresh: async () => {} }, () => 0)
  const reads = new ReadQueue(UNBOUNDED)
  const deps = {
    commands,
    fileCommands: commands,
    queries,
    statuses,
    handshake,
    signIn,
    renewing,
    waitForProjection: seen,
    mayStill,
    events,
    verifying,
    buildOrders,
    backup: null,
    rooms,
    consoleLinks: { transient: stores.transient, tokens: handshake.tokens, keyOf: handshake.keyOf, isOn: true },
    status: async () => Promise.reject(new Error('not used here')),
    past: new PastBoards({ queries, log: stores.log, reached: events.reached, activeBuilds: () => '' }),
    previews: createPreviews({ queries, reached: events.reached, maxBytes: 2 ** 27 }),
    listScores: createListScores(queries),
    overviews: createOverviews(queries, reads),
    reads,
  }
  return { routes: allRoutes(deps, info), seen }
}

async function makeDirectGame(served: ServedRoutes): Promise<string> {
  const api = directApi(served, null)
  api.setTime(HISTORY_START_MS)
  return (await api.call('POST', '/api/gm/', { body: { name: 'Model' } })).body.game.id
}

function directApi(served: ServedRoutes, game: string | null): ApiClient {
  let nowMs = 0
  const nobody = {
    isOperatorInGame: false,
    player: null,
    session: null,
    token: null,
    permissions: [],
    issuedWith: [],
    expiresAt: 0,
  }
  const caller: Caller = { ...nobody, key: 'sk_model', kind: 'server', game, may: () => true }
  const call: ApiClient['call'] = async (method, path, { query = {}, body } = {}) => {
    try {
      const { route, params } = matchRoute(served.routes, method, path)
      const context = { ...randomIds(), call: null, repeated: false, actor: caller.key, request: null, nowMs }
      const sent: Call = {
        params,
        query: route.query?.parse(query),
        body: route.body?.parse(body),
        caller,
        context,
        ifMatch: null,
        network: '',
        header: () => null,
        gone: () => new AbortController().signal,
        requiredPosition: () => null,
        beginPart: () => ({ context, recorded: null, end: () => undefined }),
      }
      const answer = await (route.handle as (call: Call) => ReturnType<Route['handle']>)(sent)
      await served.seen(answer.written ?? null)
      const text = answer.body instanceof JsonText ? answer.body.text : JSON.stringify(answer.body)
      return { status: answer.status, body: JSON.parse(text) }
    } catch (error) {
      if (isZodError(error)) return { status: 400, body: { code: 'malformed' } }
      if (!(error instanceof Refusal)) throw error
      const { status, body } = toProblem(error, '')
      return { status, body }
    }
  }
  return {
    game: game ?? '',
    setTime: (ms) => {
      nowMs = ms
    },
    call,
  }
}

function isZodError(error: unknown): boolean {
  return error instanceof Error && 'issues' in error
}

function matchRoute(routes: readonly Route[], method: string, path: string) {
  const parts = path.split('/')
  for (const route of routes) {
    const names = route.path.split('/')
    if (route.method !== method || names.length !== parts.length) continue
    if (!names.every((name, i) => name.startsWith(':') || name === parts[i])) continue
    const named = names.flatMap((name, i) => (name.startsWith(':') ? [[name.slice(1), parts[i] ?? '']] : []))
    return { route, params: Object.fromEntries(named) as Record<string, string> }
  }
  throw new Error(`no route for ${method} ${path}`)
}
