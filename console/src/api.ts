// The only file that knows the client package: opens a session with a key or with the code of a sign-in link, and
// answers every call that the console makes.

import { type AdminCalls, adminCalls } from '../../clients/javascript/admin.ts'
import { type Bearer, createBearer, createClock } from '../../clients/javascript/bearer.ts'
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
  MoversPage,
  PlayerEntry,
  Room,
  ServerStatus,
  Session as PlayerSession,
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
  Movement,
  Mover,
  Ordering,
  Preview,
  RankedScore,
  Rebuild,
  ScoresPage,
  ScoresQuery,
} from '../../clients/javascript/score-shapes.ts'
export type { Game, Key, KeyKind, MadeKey, NewKey, Page, Player, Token } from '../../clients/javascript/shapes.ts'
export type { ApiKey } from '../../clients/javascript/signing.ts'
export type { VerifyLine, VerifyResult } from '../../clients/javascript/verify-shapes.ts'
export type { Builds } from '../../clients/javascript/views.ts'

/** All rules of a leaderboard, as the server answers them. */
export type LeaderboardRules = Required<RulesToSend>

export interface Api extends TenantCalls, ScoreCalls, FileCalls, BucketCalls, HistoryCalls, ViewsCalls, AdminCalls {
  /** The bearer token, renewed if it expires soon. */
  token(): Promise<string>
}

interface Opened {
  readonly api: Api
  readonly permissions: readonly string[]
}

/** Shorter than the client's own, because a person waits in front of the page. */
const WAITS = { patienceMs: 15_000, reconnectMs: 3_000, timeoutMs: 70_000 }

const origin = (): Transport => createTransport({ baseUrl: location.origin, ...WAITS })

/**
 * Runs the handshake. The secret is not sent. Rejects with ProblemError, with Unreachable, or with TypeError for an
 * invalid key.
 */
export async function openWithKey(key: ApiKey): Promise<Opened> {
  const [transport, clock] = [origin(), createClock(Date.now)]
  const setting = { transport, clock, key, permissions: [], sign: await signerOf(key) }
  const first = await handshake(setting)
  const bearer = createBearer(first, () => handshake(setting), clock)
  return { api: apiOf(transport, bearer), permissions: first.permissions }
}

/** Redeems the code of a sign-in link. `onEnd` is called when the token has ended; nothing can renew it. */
export async function openWithCode(code: string, onEnd: () => Error): Promise<Opened> {
  const transport = origin()
  const call = { method: 'POST', path: '/api/console/redeem/', body: { code }, once: true } as const
  const first = (await transport.send(call)).body as Token
  const bearer: Bearer = {
    token: async () => {
      if (Date.now() >= first.expires_at * 1_000) throw onEnd()
      return first.token
    },
    replace: async () => {
      throw onEnd()
    },
  }
  return { api: apiOf(transport, bearer), permissions: first.permissions }
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
