// A small test world around the real server: its own route table, callers by token, a fixed clock. Used by the tests of
// the pipeline and by its benchmarks.

import { createHmac, randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'
import { Registry } from 'prom-client'
import { z } from 'zod'
import type { IdGenerator } from '../../commands/command-context.ts'
import { createTokenSeal } from '../../credentials/sealed-token.ts'
import { Refusal } from '../../domain/decider.ts'
import { anyCovers } from '../../domain/permissions.ts'
import type { EdgeLimits } from '../../http/connections/limits.ts'
import { decimal, fields, freeJson, limit, name, offset } from '../../http/fields.ts'
import { checkIfMatch, etagOf } from '../../http/pipeline/etag.ts'
import type { RawRoute } from '../../http/pipeline/router.ts'
import type { PipelineDeps } from '../../http/pipeline/services.ts'
import { type Answer, type Caller, openRoute, type Route, route } from '../../http/route.ts'
import { createHttpServer, type HttpServer } from '../../http/server.ts'
import type { Site } from '../../http/site/site.ts'
import type { KeyedBoard } from '../../queries/board-key.ts'
import type { RecordedCall } from '../../queries/call.ts'
import { NOBODY, type Trusted } from '../../runtime/network.ts'
import type { RateLimits } from '../../runtime/rate-limits.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import type { Buckets } from '../../stores/contract/transient.ts'
import { createRates, createTransient } from '../../stores/embedded/transient.ts'
import { gate } from '../until.ts'

export const NOW_MS = Date.parse('2026-11-21T07:05:01.123Z')

/** Tokens of this world; `player` is banned if it says so. */
const CALLERS: Readonly<Record<string, Partial<Caller>>> = {
  tenant: { key: 'sk_a', kind: 'server', game: 'g1', permissions: ['gm:g1:*', 'lb:*:*', 'score:*:*', 'submit_for'] },
  client: {
    key: 'ck_a',
    kind: 'client',
    game: 'g1',
    player: 'p1',
    permissions: ['lb:*:scores', 'lb:*:submit', 'lb:*:configure'],
  },
  other: { key: 'sk_b', kind: 'server', game: 'g2', permissions: ['gm:g2:*', 'lb:*:*'] },
  operator: { key: 'sk_o', kind: 'server', game: null, permissions: ['sys:games'] },
  bare: { key: 'ck_bare', kind: 'client', game: 'g1', permissions: [] },
}

function callerOf(token: string): Caller {
  const found = CALLERS[token]
  if (token === 'banned') throw new Refusal('forbidden', 'player_banned', 'This player is banned.')
  if (found === undefined) throw new Refusal('unauthenticated', 'unauthenticated', 'This token is not valid.')
  const permissions = found.permissions ?? []
  const { key = '', kind = 'client', game = null, player = null, session = null } = found
  const may = (permission: string) => anyCovers(permissions, permission)
  return {
    key,
    kind,
    game,
    isOperatorInGame: false,
    player,
    session,
    token: null,
    permissions,
    issuedWith: permissions,
    expiresAt: 0,
    may,
  }
}

const generator: IdGenerator = { id: (purpose) => `id-${purpose}`, secret: () => new Uint8Array(32) }

/** Stands in for the log and the view `commands`: what handlers of this world have recorded. */
export interface World {
  readonly url: string
  readonly port: number
  readonly http: HttpServer
  readonly lines: string[]
  readonly recorded: Map<string, RecordedCall>
  /** What was hashed of calls with a key, in order. */
  readonly hashed: string[]
  /** Positions that views have reached; everything if absent. */
  readonly reached: Map<string, string>
  /** The leaderboards of keys; null: none has it. Other keys are those of leaderboards with the same id. */
  readonly boardKeys: Map<string, KeyedBoard | null>
  readonly metrics: Registry
  readonly clock: { nowMs: number }
  readonly runs: { max: number; now: number; total: number }
  /** Blocks handlers of /api/lb/:leaderboard/slow/ until it is opened. */
  readonly gate: { open: () => void; readonly entered: Promise<void> }
  close(): Promise<void>
}

export interface WorldOptions {
  readonly rateLimits?: RateLimits
  readonly trustedProxies?: Trusted
  readonly rates?: Buckets
  readonly routes?: readonly Route[]
  readonly rawRoutes?: readonly RawRoute[]
  readonly ready?: () => boolean
  readonly site?: Site
  readonly edgeLimits?: Partial<EdgeLimits>
  /** Replaces the logger whose lines are collected. */
  readonly log?: Logger
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const lines: string[] = []
  const recorded = new Map<string, RecordedCall>()
  const hashed: string[] = []
  const reached = new Map<string, string>()
  const boardKeys = new Map<string, KeyedBoard | null>()
  const metrics = new Registry()
  const clock = { nowMs: NOW_MS }
  const runs = { max: 0, now: 0, total: 0 }
  const gate = createGate()
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  const rates = options.rates ?? createRates()
  const deps: PipelineDeps = {
    authenticate: async (token) => callerOf(token),
    contexts: {
      keyed: (caller, key) => ({ command: `${caller?.key}|${caller?.player}|${key}`, generator }),
      fresh: () => ({ command: randomUUID(), generator }),
      callHash: (call) => {
        hashed.push(call)
        return createHmac('sha256', 'test').update(call).digest('hex')
      },
    },
    transient: createTransient(),
    boardByKey: async (_game, key) => {
      const known = boardKeys.get(key)
      return known === undefined ? { board: key, since: '' } : known
    },
    commandSeen: async (command) => recorded.get(command) ?? null,
    firstClaim: async (_game, key) => boardKeys.get(key)?.since ?? '',
    callsReached: async (game) => reached.get(game) ?? null,
    callsAfter: async () => ({ calls: new Map(), hasEvents: false, isComplete: true }),
    rates,
    recordedBytesPerDay: async () => null,
    ratesOfThisNode: createRates(),
    rateLimits: options.rateLimits ?? 'off',
    trustedProxies: options.trustedProxies ?? NOBODY,
    corsOrigins: async (game) => (game === 'g1' ? ['https://one.example'] : ['https://two.example']),
    corsAllowedByAny: async (origin) => ['https://one.example', 'https://two.example'].includes(origin),
    consistency: createTokenSeal(new Uint8Array(32)),
    progress: {
      waitFor: async (game, position) => position <= (reached.get(game ?? '') ?? '~'),
      current: (game) => reached.get(game ?? '') ?? '000',
    },
    log: options.log ?? pino({ level: 'info' }, sink),
    metrics,
    now: () => clock.nowMs,
    ready: options.ready ?? (() => true),
    ...(options.site !== undefined && { site: options.site }),
    ...(options.edgeLimits !== undefined && { edgeLimits: options.edgeLimits }),
  }
  const http = createHttpServer(
    deps,
    [...fakeRoutes(recorded, runs, gate), ...(options.routes ?? [])],
    options.rawRoutes,
  )
  const port = await http.listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    port,
    http,
    lines,
    recorded,
    hashed,
    reached,
    boardKeys,
    metrics,
    clock,
    runs,
    gate,
    close: () => http.close(1_000),
  }
}

function createGate() {
  const { opened, open } = gate()
  const { opened: entered, open: enter } = gate()
  return { open, entered, enter, opened }
}

const board = fields({ id: z.string(), name: z.string() }).meta({ id: 'Board' })
const echo = z.unknown()

function fakeRoutes(recorded: World['recorded'], runs: World['runs'], gate: ReturnType<typeof createGate>): Route[] {
  const boardQuery = fields({ limit, offset, player_name: name.optional(), min_score: decimal.optional() })
  const scoreBody = fields({ score: decimal, extra_data: freeJson.optional(), player_name: name.optional() })
  const common = { tenantOnly: false, records: false, answers: { 200: echo } } as const
  return [
    route({
      ...common,
      method: 'GET',
      path: '/api/lb/:leaderboard/score/',
      summary: 'Scores.',
      needs: { permission: 'lb:{leaderboard}:scores' },
      query: boardQuery,
      handle: async ({ params, query }) => ({ status: 200, body: { params, query } }),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/api/lb/:leaderboard/score/',
      summary: 'Submit a score.',
      needs: { permission: 'lb:{leaderboard}:submit' },
      records: true,
      body: scoreBody,
      answers: { 201: echo },
      refusals: ['score_below_minimum'],
      handle: async ({ params, body, context, caller }): Promise<Answer> => {
        if (params.leaderboard === 'none')
          throw new Refusal('not_found', 'leaderboard_not_found', 'No such leaderboard.')
        if (params.leaderboard === 'same') return { status: 200, body: {}, written: null }
        const replayed = recorded.has(context.command)
        const { call } = context
        if (call !== null)
          recorded.set(context.command, { call, time: new Date().toISOString(), board: null, player: null })
        return { status: 201, body: { body }, written: { game: caller.game, position: '005' }, replayed }
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/api/lb/:leaderboard/slow/',
      summary: 'A write that waits for the gate.',
      needs: { permission: 'lb:{leaderboard}:submit' },
      records: true,
      handle: async () => {
        runs.total++
        runs.max = Math.max(runs.max, ++runs.now)
        gate.enter()
        await gate.opened
        runs.now--
        return { status: 200, body: {} }
      },
    }),
    route({
      ...common,
      method: 'PUT',
      path: '/api/lb/:leaderboard/',
      summary: 'Change a board.',
      needs: { permission: 'lb:{leaderboard}:configure' },
      tenantOnly: true,
      records: true,
      body: fields({ name: name.optional() }),
      answers: { 200: board },
      handle: async ({ ifMatch, body }) => {
        checkIfMatch(ifMatch, etagOf({ name: 'now' }))
        return { status: 200, body: { id: 'b', name: body.name ?? 'now' } }
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/api/boom/:what/',
      summary: 'Fails.',
      needs: 'token',
      handle: async ({ header, params }) => {
        if (params.what === 'unavailable') throw new StoreUnavailable(`The MongoDB at db.example cannot be used now`)
        throw new Error(`database password hunter2 for ${header('authorization')}`)
      },
    }),
    openRoute({
      ...common,
      method: 'POST',
      path: '/api/auth/jwt/redeem/',
      summary: 'Open to all.',
      needs: 'nothing',
      rates: ['handshake'],
      body: fields({ request_id: z.string() }),
      handle: async ({ body }) => ({ status: 200, body }),
    }),
  ]
}
