// The only file that knows the client package: opens a session with a key, with the code of a sign-in link or with a
// token that another tab has, and answers every call that the console makes.

import { type AdminCalls, adminCalls } from '../../clients/javascript/admin.ts'
import { type Bearer, type Clock, createBearer, createClock } from '../../clients/javascript/bearer.ts'
import { type BucketCalls, bucketCalls } from '../../clients/javascript/buckets.ts'
import { createCaller } from '../../clients/javascript/caller.ts'
import { type FileCalls, fileCalls } from '../../clients/javascript/files.ts'
import { handshake } from '../../clients/javascript/handshake.ts'
import { type HistoryCalls, historyCalls } from '../../clients/javascript/history.ts'
import type { LeaderboardRules as RulesToSend } from '../../clients/javascript/score-shapes.ts'
import { type ScoreCalls, scoreCalls } from '../../clients/javascript/scores.ts'
import type { Token } from '../../clients/javascript/shapes.ts'
import { type ApiKey, signerOf } from '../../clients/javascript/signing.ts'
import { type TenantCalls, tenantCalls } from '../../clients/javascript/tenant.ts'
import { createTransport, type Transport } from '../../clients/javascript/transport.ts'
import { type ViewsCalls, viewsCalls } from '../../clients/javascript/views.ts'

export type {
  Action,
  MoversPage,
  Overview,
  PlayerEntry,
  Room,
  ServerStatus,
} from '../../clients/javascript/admin.ts'
export type {
  Bucket,
  Explained,
  Folder,
  FolderRules,
  Level,
  Listing,
  RuledFolder,
  StoredFile,
} from '../../clients/javascript/file-shapes.ts'
export type { EventsQuery, GameEvent, ScoreExplanation } from '../../clients/javascript/history.ts'
export { type KeyFile, keyIn } from '../../clients/javascript/key-file.ts'
export { ProblemError, Unreachable } from '../../clients/javascript/problem.ts'
export type { RoomMember } from '../../clients/javascript/room-shapes.ts'
export type {
  Keep,
  Leaderboard,
  LeaderboardChange,
  Movement,
  Mover,
  Ordering,
  PodiumPlace,
  PreviewSummary,
  RankedScore,
  Rebuild,
  ScoresPage,
  ScoresQuery,
  Season,
  SeasonSchedule,
} from '../../clients/javascript/score-shapes.ts'
export type { Game, Key, KeyKind, MadeKey, NewKey, Page, Player, Token } from '../../clients/javascript/shapes.ts'
export type { VerifyLine, VerifyResult } from '../../clients/javascript/verify-shapes.ts'
export type { Builds } from '../../clients/javascript/views.ts'

/** All rules of a leaderboard, as the server answers them. */
export type LeaderboardRules = Required<RulesToSend>

export interface Api extends TenantCalls, ScoreCalls, FileCalls, BucketCalls, HistoryCalls, ViewsCalls, AdminCalls {
  /** The bearer token, renewed if it expires soon. */
  token(): Promise<string>
}

export interface Opened {
  readonly api: Api
  readonly permissions: readonly string[]
  /** The token of the session, renewed if it expires soon. It is what another tab may have. */
  current(): Promise<Token>
  /** For the operator: the calls of a game, with a token of that game which is renewed by itself. */
  enterGame(game: string): Promise<Opened>
}

/** Shorter than the client's own, because a person waits in front of the page. */
const WAITS = { patienceMs: 15_000, reconnectMs: 3_000, timeoutMs: 70_000 }

const origin = (): Transport => createTransport({ baseUrl: location.origin, ...WAITS })

/**
 * Runs the handshake. The secret is not sent. Rejects with ProblemError, with Unreachable, or with TypeError for an
 * invalid key.
 */
export async function openWithKey(key: ApiKey): Promise<Opened> {
  const [transport, clock] = [origin(), createClock(() => Date.now())]
  const setting = { transport, clock, key, permissions: [], sign: await signerOf(key) }
  return openWith(transport, clock, await handshake(setting), () => handshake(setting))
}

/** Redeems the code of a sign-in link. `onEnd` makes the error for when the token has ended; nothing renews it. */
export async function openWithCode(code: string, onEnd: () => Error): Promise<Opened> {
  const transport = origin()
  const call = { method: 'POST', path: '/api/console/redeem/', body: { code }, once: true } as const
  const first = (await transport.send(call)).body as Token
  return openWith(
    transport,
    createClock(() => Date.now()),
    first,
    untilItEnds(first, onEnd),
  )
}

/** The token that nothing renews, until it expires. Then `onEnd` makes the error. */
export const untilItEnds = (token: Token, onEnd: () => Error) => async (): Promise<Token> => {
  if (Date.now() >= token.expires_at * 1_000) throw onEnd()
  return token
}

/** Continues the session of another tab with its token. `renew` asks that tab for the next one. */
export const openWithToken = (first: Token, renew: () => Promise<Token>): Opened =>
  openWith(
    origin(),
    createClock(() => Date.now()),
    first,
    renew,
  )

function openWith(transport: Transport, clock: Clock, first: Token, renew: () => Promise<Token>): Opened {
  let current = first
  const bearer = createBearer(
    first,
    async () => {
      current = await renew()
      return current
    },
    clock,
  )
  const api = apiOf(transport, bearer)
  return {
    api,
    permissions: first.permissions,
    current: async () => {
      await bearer.token()
      return current
    },
    enterGame: async (game) => openWith(transport, clock, await api.gameToken(game), () => api.gameToken(game)),
  }
}

function apiOf(transport: Transport, bearer: Bearer): Api {
  const caller = createCaller(transport, bearer)
  return {
    ...tenantCalls(caller),
    ...scoreCalls(caller),
    ...fileCalls(caller),
    ...bucketCalls(caller),
    ...historyCalls(caller),
    ...viewsCalls(caller),
    ...adminCalls(caller),
    token: () => bearer.token(),
  }
}
