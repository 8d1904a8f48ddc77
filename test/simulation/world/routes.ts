// The routes of a simulated node, called as the HTTP pipeline calls them after its checks: with an authenticated caller
// and with validated query and body.

import { authenticate } from '../../../access/authenticate.ts'
import { NodeRevocations } from '../../../access/revocations.ts'
import { createStatuses, type Statuses } from '../../../access/statuses.ts'
import type { CommandContext } from '../../../commands/command-context.ts'
import type { NodeCommandDeps } from '../../../commands/command-deps.ts'
import { createLockOut } from '../../../commands/sign-in/lock-out.ts'
import type { Passwords } from '../../../credentials/passwords.ts'
import { type Claims, TOKEN_LIFETIME_S, type Tokens } from '../../../credentials/tokens.ts'
import type { Answer, Caller, Route } from '../../../http/route.ts'
import { bucketRoutes } from '../../../http/routes/buckets.ts'
import type { RouteDeps } from '../../../http/routes/deps.ts'
import { fileRoutes } from '../../../http/routes/files.ts'
import { folderRoutes } from '../../../http/routes/folders.ts'
import { Followers } from '../../../http/routes/followers.ts'
import { moderationRoutes } from '../../../http/routes/moderation.ts'
import { playerRoutes } from '../../../http/routes/player.ts'
import { signInRoutes } from '../../../http/routes/sign-in.ts'
import { ticketRoutes } from '../../../http/routes/tickets.ts'
import { uploadRoutes } from '../../../http/routes/uploads.ts'
import type { Progress } from '../../../projections/progress.ts'
import type { QueryDeps } from '../../../queries/deps.ts'
import { PastBoards } from '../../../queries/past/boards.ts'
import { findPlayer } from '../../../queries/player.ts'
import { createPreviews } from '../../../queries/previews.ts'
import { createListScores } from '../../../queries/scores/list.ts'
import { ReadQueue } from '../../../queries/work-queue.ts'
import { DEFAULT_ADDRESS_LIMITS } from '../../../runtime/rate-limits.ts'
import { createBuildOrders } from '../../../server/node/build-orders.ts'
import { takeOverDeps } from '../../../server/node/take-over.ts'
import type { CodeMail } from '../../../stores/contract/mail.ts'
import type { Transient, Windows } from '../../../stores/contract/transient.ts'
import { STATUS_OPTIONS } from '../../access/status-options.ts'
import type { Bearer } from '../callers/command.ts'
import type { Running } from './node.ts'

interface Parts {
  readonly commands: NodeCommandDeps
  readonly queries: QueryDeps
  readonly progress: Progress
  readonly transient: Transient
  readonly windows: Windows
  readonly passwords: Passwords
  now(): number
  send(mail: CodeMail, askedMs: number): void
}

export interface Routes {
  readonly statuses: Statuses
  readonly table: ReadonlyMap<string, Route>
}

export function routesOf({ commands, queries, progress, transient, windows, passwords, now, send }: Parts): Routes {
  const takeOver = takeOverDeps({ commands, queries, progress })
  const statuses = createStatuses(queries, nothingHeard(), STATUS_OPTIONS)
  const mail = {
    send: (one: CodeMail) => {
      send(one, now())
      return true
    },
    close: async () => {},
  }
  const keyOf = (prefix: string) => statuses.key(prefix)
  const deps: RouteDeps = {
    commands,
    fileCommands: commands,
    queries,
    statuses,
    handshake: { transient, vault: commands.vault, tokens: TOKENS, keys: commands.keys, keyOf },
    signIn: {
      ...takeOver,
      playerInViews: async (id) => (await findPlayer(queries, id))?.state ?? null,
      transient,
      windows,
      passwords,
      lockOut: createLockOut(windows),
      countsNetworks: false,
      addressLimits: DEFAULT_ADDRESS_LIMITS,
      mail,
      tokens: TOKENS,
    },
    renewing: { queries, statuses, tokens: TOKENS, sessionUsed: { note() {} } },
    consoleLinks: { transient, tokens: TOKENS, keyOf, isOn: true },
    status: () => Promise.reject(new Error('not used here')),
    rooms: {
      transient,
      store: { listWhole: async () => ({ rooms: [], count: 0, next: 0 }) },
      countsNetworks: false,
      url: '',
      secret: null,
      document: () => ({}),
    },
    waitForProjection: takeOver.waitForProjection,
    // Simulated callers do not use these queries; the oracle runs them on a settled history.
    past: new PastBoards({ queries, log: commands.log, reached: async () => null, activeBuilds: () => '' }),
    previews: createPreviews({ queries, reached: async () => null, maxBytes: 2 ** 27 }),
    listScores: createListScores(queries),
    reads: new ReadQueue(),
    events: {
      history: queries.history,
      reached: async () => null,
      isPosition: async () => false,
      isFromBeforeRestore: async () => false,
      followers: new Followers(),
      stopping: new AbortController().signal,
      now,
    },
    overviews: () => Promise.reject(new Error('not used here')),
    verifying: {
      run: () => Promise.reject(new Error('not used here')),
      last: async () => null,
      stopping: new AbortController().signal,
    },
    mayStill: async () => true,
    buildOrders: createBuildOrders(
      { views: queries.views, history: queries.history, log: commands.log },
      { refresh: async () => {} },
      now,
    ),
    backup: null,
  }
  const all = [
    playerRoutes,
    signInRoutes,
    ticketRoutes,
    moderationRoutes,
    bucketRoutes,
    folderRoutes,
    fileRoutes,
    uploadRoutes,
  ]
  const routes = all.flatMap((some) => some(deps))
  return { statuses, table: new Map(routes.map((one) => [`${one.method} ${one.path}`, one])) }
}

/** One call of a route. */
export interface RouteCall {
  /** The token's owner; `tenant`: the owner of the game, who may do everything; null where the route needs no token. */
  readonly as: Bearer | 'tenant' | null
  readonly game: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: object
  readonly body?: object
  readonly network?: string
}

/** Checks the token, then calls the handler, as the pipeline does. */
export async function callRoute(
  node: Running,
  path: string,
  call: RouteCall,
  context: CommandContext,
): Promise<Answer> {
  const route = node.routes.table.get(path)
  if (route === undefined) throw new Error(`there is no route ${path}`)
  const { as, game, params = {}, network = '192.0.2.1' } = call
  const caller = as === null ? null : as === 'tenant' ? tenantOf(game) : await letIn(node, as, context.nowMs)
  const query = route.query?.parse(call.query ?? {})
  const body = route.body?.parse(call.body)
  const heard = {
    caller,
    params: { game, ...params },
    query,
    body,
    context,
    ifMatch: null,
    network,
    header: () => null,
  }
  return route.handle(heard as never)
}

function tenantOf(game: string): Caller {
  const nobody = { player: null, session: null, token: null }
  return {
    key: 'sk_test',
    kind: 'server',
    game,
    ...nobody,
    permissions: ['*'],
    issuedWith: ['*'],
    isOperatorInGame: false,
    expiresAt: 0,
    may: () => true,
  }
}

function letIn(node: Running, { game, key, player, session, expiresAt }: Bearer, nowMs: number): Promise<Caller> {
  const claims: Claims = { key, game, player, session, id: null, permissions: [], expiresAt }
  return authenticate(node.routes.statuses, { ...TOKENS, check: () => claims }, '', nowMs)
}

/** Tokens are not signed here: the caller is taken as given. */
const TOKENS: Tokens = {
  issue: async (claims, nowMs) => {
    const expiresAt = Math.floor(nowMs / 1_000) + TOKEN_LIFETIME_S
    return { token: JSON.stringify(claims), expiresAt }
  },
  check: (_token, _nowMs) => null,
}

/** Sessions and bans are read from the views: a call may be rejected according to an earlier state. */
const nothingHeard = () =>
  new NodeRevocations(
    {
      note: async () => {},
      since: async () => ({ version: '', changes: [], whole: true, more: false }),
      find: async () => [],
    },
    { now: () => 0, elapsedMs: () => 0 },
  )
