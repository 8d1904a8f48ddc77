// Sends a running server valid and invalid calls that are generated from its own OpenAPI document, and checks each
// response against the document. The seed decides every random choice. The server's ids and secrets are not seeded, so
// choices that depend on them can differ between runs.

import { readdir, readFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import {
  clientDefaults,
  type MadeGame,
  makeBoard,
  makeBucket,
  makeGame,
  makeKey,
  signInGuest,
} from '../front-door/game-fixtures.ts'
import { codeIn } from '../front-door/mails.ts'
import { handshake, must, openWorld, type World } from '../front-door/world.ts'
import { Random } from '../random.ts'
import { faultOf, RETRYABLE } from './check-reply.ts'
import { readDocument } from './document.ts'
import { type Call, type CallSources, drawCall } from './draw-call.ts'
import { REALTIME_SECRET } from './draw-headers.ts'
import { type Coverage, drawOperation } from './draw-operation.ts'
import { createFindings, type Findings } from './findings.ts'
import { harvestReply } from './harvest.ts'
import {
  type Access,
  emptyPool,
  type KnownGame,
  knownBucket,
  knownGame,
  knownPlayer,
  type Pool,
  remember,
  take,
} from './pool.ts'
import { isReady } from './ready.ts'
import { type Connection, type Reply, type Request, sendCall } from './send-call.ts'
import { bytesOf } from './subject-values.ts'
import { createValidate, type Validate } from './validators.ts'

export interface StatefulProof {
  readonly tried: number
  readonly seed: number
  /**
   * Calls without a response, responses that violate the document, failed upload or download links, and too many 503s.
   */
  readonly findings: Findings
  /** By operation id, for every operation of the document. */
  readonly coverage: ReadonlyMap<string, Coverage>
  /** HTTP status -> number of responses. */
  readonly statuses: ReadonlyMap<number, number>
  readonly seconds: number
}

export interface StatefulOptions {
  readonly requests: number
  readonly seed: number
  readonly onProgress?: (tried: number, findings: number) => void
}

/**
 * Calls sent concurrently. Their responses are recorded in the order of the calls, not of arrival, so that timing does
 * not affect later calls.
 */
const BATCH = 16

/** Batches between two reads of the mailed codes. */
const MAIL_EVERY = 20

const BATCH_MS_MAX = 80
const CLOCK_JUMPS = 0.002
const CLOCK_JUMP_MS_MAX = 10 * 60_000
const RETRYABLE_SHARE_MAX = 0.002

export async function proveStateful({
  requests,
  seed,
  onProgress = () => {},
}: StatefulOptions): Promise<StatefulProof> {
  // With the local file store, the server itself handles uploads and downloads, so the links are tested too.
  const world = await openWorld({ hasFileStore: () => false })
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * BATCH })
  try {
    await world.restart({ filesDir: join(world.dataDir, 'files'), realtimeSecret: REALTIME_SECRET })
    const mails = openMailedCodes(world.dataDir)
    const run = await openRun(world, { agent, seed, mailedCodes: mails.codes })
    const startedMs = performance.now()
    let tried = 0
    for (let batch = 0; tried < requests; batch++) {
      await keepBase(world, run.sources.pool)
      if (batch % MAIL_EVERY === 0) await mails.read()
      await tryLink(run)
      tried += await sendBatch(run, tried, Math.min(BATCH, requests - tried))
      advance(run)
      onProgress(tried, run.findings.count())
    }
    checkRetries(run, tried)
    const { coverage, statuses, findings } = run
    return { tried, seed, findings, coverage, statuses, seconds: (performance.now() - startedMs) / 1_000 }
  } finally {
    agent.destroy()
    await world.close()
  }
}

async function sendBatch(run: Run, tried: number, size: number): Promise<number> {
  const calls = Array.from({ length: size }, () => nextCall(run))
  const replies = await Promise.all(calls.map((call) => sendCall(run.connection, call).catch((error: Error) => error)))
  replies.forEach((reply, at) => {
    const call = calls[at] as Call
    if (reply instanceof Error) run.findings.add(`no answer: ${reply.message}`, call, null, tried + at)
    else record(run, call, reply, tried + at)
  })
  return size
}

async function tryLink({ connection, sources: { pool, random }, findings }: Run): Promise<void> {
  const followed = await followLink(connection, pool, random)
  if (followed === null) return
  const { request, reply } = followed
  if (reply instanceof Error) findings.addLink(`no answer: ${reply.message}`, request, null)
  else if (reply.status >= 500) findings.addLink(`a failure: ${reply.status}`, request, reply)
}

/** Advances the server's clock, so that challenges, uploads, tickets and tokens expire. */
function advance({ sources: { clock, random } }: Run): void {
  clock.nowMs += random.below(BATCH_MS_MAX)
  if (random.chance(CLOCK_JUMPS)) clock.nowMs += random.below(CLOCK_JUMP_MS_MAX)
}

/** Adds a finding if the share of 503s exceeds RETRYABLE_SHARE_MAX: a healthy server rarely responds with 503. */
function checkRetries({ statuses, findings }: Run, tried: number): void {
  const unavailable = statuses.get(503) ?? 0
  if (unavailable > tried * RETRYABLE_SHARE_MAX) {
    findings.addShare(`${unavailable} of ${tried} answers are 503 (${RETRYABLE.join(', ')})`)
  }
}

export interface FollowedLink {
  readonly request: Request
  /** An error if the connection broke. */
  readonly reply: Reply | Error
}

const WRONG_SIZE = 0.1
const RANGES = ['bytes=0-9', 'bytes=5-', 'bytes=-3', 'bytes=9999-', 'bytes=x']

/** Follows one of the pool's links; null if there is none. */
export async function followLink(connection: Connection, pool: Pool, random: Random): Promise<FollowedLink | null> {
  const link = random.chance(0.8) ? take(pool.links, random) : random.any(pool.links)
  if (link === null) return null
  const { pathname } = new URL(link.url)
  const ranged: Readonly<Record<string, string>> = random.chance(0.3) ? { range: random.pick(RANGES) } : {}
  const request: Request =
    link.method === 'GET'
      ? { method: 'GET', path: pathname, headers: ranged, payload: undefined }
      : {
          method: 'PUT',
          path: pathname,
          headers: link.headers,
          payload: bytesOf(link.size + (random.chance(WRONG_SIZE) ? 1 : 0)),
        }
  return { request, reply: await sendCall(connection, request).catch((error: Error) => error) }
}

export interface MailedCodes {
  /** By address; the latest code. */
  readonly codes: ReadonlyMap<string, string>
  read(): Promise<void>
}

export function openMailedCodes(dataDir: string): MailedCodes {
  const folder = join(dataDir, 'mail')
  const seen = new Set<string>()
  const codes = new Map<string, string>()
  return {
    codes,
    read: async () => {
      for (const file of (await readdir(folder).catch(() => [])).toSorted()) {
        if (seen.has(file)) continue
        // The server deletes mails whose code has expired.
        const mail = await readFile(join(folder, file), 'utf8').catch(() => '')
        const [email, code] = [/^To: (\S+)\r?$/m.exec(mail)?.[1], codeIn(mail)]
        // A mail is there before all of it is.
        if (email === undefined || code === '') continue
        seen.add(file)
        codes.set(email, code)
      }
    },
  }
}

const GAMES_MIN = 3

/** Tokens live for an hour. */
const RENEWED_AFTER_MS = 40 * 60_000

export async function keepBase(world: World, pool: Pool): Promise<void> {
  const { nowMs } = world.clock
  await renew(world, pool.operator)
  while (pool.games.length < GAMES_MIN) pool.games.push(await furnishedGame(world))
  for (const game of pool.games) {
    if (!isDue(game.server, nowMs) && !isDue(game.client, nowMs)) continue
    await renewKey(world, game, 'server')
    await renewKey(world, game, 'client')
  }
}

const isDue = ({ token, sinceMs }: Access, nowMs: number): boolean =>
  token === null || nowMs - sinceMs > RENEWED_AFTER_MS

/** Returns false if the key cannot sign in. */
async function renew(world: World, access: Access): Promise<boolean> {
  const { nowMs } = world.clock
  if (!isDue(access, nowMs)) return true
  if (access.signer === null) return false
  const answer = await handshake(world, access.signer)
  if (answer.status !== 200) return false
  access.token = answer.body.token
  access.sinceMs = nowMs
  return true
}

/** A key that was revoked or lost its permissions is replaced. */
async function renewKey(world: World, game: KnownGame, kind: 'server' | 'client'): Promise<void> {
  const access = game[kind]
  if (await renew(world, access)) return
  const permissions =
    kind === 'client' ? clientDefaults(game.id) : [`gm:${game.id}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for']
  const signer = await makeKey(world, madeGame(game), { kind, permissions })
  game.keys.push(signer)
  access.signer = signer
  await renew(world, access)
}

const madeGame = ({ id, server }: KnownGame): MadeGame => ({
  id,
  server: server.signer ?? { prefix: '', sign: () => '' },
  token: server.token ?? '',
})

/** A game with a leaderboard, a bucket whose rules admit anyone, rooms, and a guest. */
async function furnishedGame(world: World): Promise<KnownGame> {
  const made = await makeGame(world, 'Base')
  const game = knownGame(made.id, 'Base', made.server)
  game.leaderboards.push(await makeBoard(world, made), await makeBoard(world, made, { unique: false }))
  knownBucket(game, await makeBucket(world, made))
  const rooms = { token: made.token, body: { realtime: { enabled: true, require_player: false } } }
  must(await world.call('PUT', `/api/gm/${made.id}/`, rooms), 200)
  await renewKey(world, game, 'client')
  const guest = await signInGuest(world, made, game.client.token ?? '')
  Object.assign(knownPlayer(game, guest.id), guest)
  return game
}

/** Probability that a call is repeated as it was. */
const REPEATED = 0.02

const REPEATABLE_MAX = 50

/** Probability that a call refers to what the game does not have. */
const UNREADY = 0.02

export interface Run {
  readonly world: World
  readonly connection: Connection
  readonly sources: CallSources
  readonly coverage: Map<string, Coverage>
  readonly statuses: Map<number, number>
  readonly repeatable: Call[]
  readonly findings: Findings
  readonly validate: Validate
}

export async function openRun(
  world: World,
  options: { agent: Agent; seed: number; mailedCodes: ReadonlyMap<string, string> },
): Promise<Run> {
  const { agent, seed, mailedCodes } = options
  const document = readDocument((await world.call('GET', '/api/openapi.json')).body)
  const sources: CallSources = {
    ...{ document, pool: emptyPool(world.operator), random: new Random(seed), clock: world.clock },
    mailedCodes,
  }
  const coverage = new Map(document.operations.map(({ id }) => [id, { called: 0, succeeded: 0 }]))
  return {
    ...{ world, sources, coverage, statuses: new Map(), repeatable: [], findings: createFindings(seed) },
    connection: { agent, port: world.port },
    validate: createValidate(document.schemas),
  }
}

/** A new call, or one with an Idempotency-Key again. */
export function nextCall(run: Run): Call {
  const { repeatable } = run
  const { random } = run.sources
  const repeated = random.chance(REPEATED) ? random.any(repeatable) : null
  if (repeated !== null) return repeated
  const call = drawReady(run)
  if (call.headers['idempotency-key'] !== undefined) remember(repeatable, call, REPEATABLE_MAX)
  return call
}

function drawReady({ sources, coverage }: Run): Call {
  const { random, pool, document, mailedCodes } = sources
  for (;;) {
    const operation = drawOperation(document.operations, coverage, random)
    const game = random.pick(pool.games)
    if (isReady(operation, game, mailedCodes) || random.chance(UNREADY)) return drawCall(operation, game, sources)
  }
}

/** Counts, compares and harvests an answer; `number` is the request's. */
export function record(
  { coverage, statuses, findings, validate, sources }: Run,
  call: Call,
  reply: Reply,
  number: number,
): void {
  const covered = coverage.get(call.operation.id)
  statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
  if (covered !== undefined) {
    covered.called++
    if (reply.status < 300) covered.succeeded++
  }
  const fault = faultOf(call, reply, validate)
  if (fault !== null) findings.add(fault, call, reply, number)
  if (fault === null) harvestReply(reply, { call, pool: sources.pool, schemas: sources.document.schemas })
}
