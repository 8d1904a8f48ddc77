// Entry point for servers and tools, exported as `./server`: every call of a tenant and the operator beside those of
// games. Keeps nothing: each `asGuest` creates or restores a guest.

import { type AdminCalls, adminCalls } from './admin.ts'
import { createBearer, createClock } from './bearer.ts'
import { type BucketCalls, bucketCalls } from './buckets.ts'
import { createCaller, pathTo } from './caller.ts'
import { type FileCalls, fileCalls } from './files.ts'
import { type GuestOptions, guestSignIn } from './guests.ts'
import { handshake } from './handshake.ts'
import { type HistoryCalls, historyCalls } from './history.ts'
import { type ManySubmissionCalls, manySubmissionCalls } from './many-submissions.ts'
import { type PlayerClient, refreshed, signedInPlayer } from './player.ts'
import { ProblemError } from './problem.ts'
import { type ScoreCalls, scoreCalls } from './scores.ts'
import type { OwnPlayer, RoomTicket } from './shapes.ts'
import { type SignInCalls, signInCalls } from './sign-in.ts'
import { type ApiKey, signerOf } from './signing.ts'
import { memoryStorage } from './storage.ts'
import { type TenantCalls, tenantCalls } from './tenant.ts'
import { createTransport, rootOf, type Transport, type TransportOptions } from './transport.ts'
import { type ViewsCalls, viewsCalls } from './views.ts'

export type { PlayerClient } from './player.ts'
export type { Fault } from './problem.ts'
export { ProblemError, Unreachable } from './problem.ts'
export type {
  JsonValue,
  NewScore,
  RankedScore,
  Score,
  ScoresPage,
  ScoresQuery,
  SubmittedScore,
} from './score-shapes.ts'
export type { ApiKey } from './signing.ts'

export interface ConnectOptions extends TransportOptions {
  readonly key: ApiKey
  /** Permissions to request; absent or empty: all permissions of the key. */
  readonly permissions?: readonly string[]
  /** Unix milliseconds; for tests. */
  readonly now?: () => number
}

export interface Client
  extends ScoreCalls,
    ManySubmissionCalls,
    FileCalls,
    TenantCalls,
    AdminCalls,
    BucketCalls,
    SignInCalls,
    HistoryCalls,
    ViewsCalls {
  /** Permissions of the first token, and requested ones that the key lacks. */
  readonly permissions: readonly string[]
  readonly declined: readonly string[]
  /** The bearer token, renewed if it expires soon. */
  token(): Promise<string>
  /**
   * The player of a token that a game has sent to its server, asked of the game of this key. Rejects with ProblemError:
   * 401 if the token has expired or was revoked, 404 if it is of another game, 422 if it has no player.
   */
  whoIs(token: string): Promise<OwnPlayer>
  /** Creates a guest, or restores one with `guestToken`. */
  asGuest(game: string, guest?: GuestOptions): Promise<PlayerClient>
  /**
   * Resumes a player's session, with the `refreshToken` that their client had last: within 30 days, also after the
   * program ended. Rejects with ProblemError `sign_in_rejected` if the session is over.
   */
  resume(game: string, refreshToken: string): Promise<PlayerClient>
  /** A ticket to the rooms without a player, where the game allows that. */
  roomTicket(game: string): Promise<RoomTicket>
}

/** Runs the handshake. Rejects with ProblemError if the key is rejected, with Unreachable if no server answers. */
export async function connect(options: ConnectOptions): Promise<Client> {
  const { key, permissions = [], now = Date.now } = options
  const transport = createTransport(options)
  const clock = createClock(now)
  const setting = { transport, clock, key, permissions, sign: await signerOf(key) }
  const first = await handshake(setting)
  const bearer = createBearer(first, () => handshake(setting), clock)
  const caller = createCaller(transport, bearer)
  const [baseUrl, storage] = [rootOf(options.baseUrl), memoryStorage()]
  const settingOf = (game: string) => {
    return { sender: transport, clock, context: { baseUrl, game, keyPrefix: key.prefix, storage, now } }
  }
  return {
    ...scoreCalls(caller),
    ...manySubmissionCalls(caller, options),
    ...tenantCalls(caller),
    ...adminCalls(caller),
    ...fileCalls(caller),
    ...bucketCalls(caller),
    ...historyCalls(caller),
    ...viewsCalls(caller),
    permissions: first.permissions,
    declined: first.declined,
    token: () => bearer.token(),
    whoIs: async (token) => playerOf(transport, gameOf(key, first.permissions), token),
    ...signInCalls(caller, settingOf),
    asGuest: async (game, guest = {}) => signedInPlayer(settingOf(game), await guestSignIn(caller, game, guest)),
    resume: async (game, refreshToken) => {
      const setting = settingOf(game)
      return signedInPlayer(setting, await refreshed(setting, refreshToken))
    },
    roomTicket: (game) => caller.call('POST', pathTo(['gm', game, 'rt', 'ticket'])),
  }
}

function gameOf(key: ApiKey, permissions: readonly string[]): string {
  if (typeof key.game === 'string') return key.game
  for (const permission of permissions) {
    const game = /^gm:([^:*]+):/.exec(permission)?.[1]
    if (game !== undefined) return game
  }
  throw new TypeError('whoIs needs the game of the key: pass key: { prefix, secret, game }')
}

async function playerOf(transport: Transport, game: string, token: string): Promise<OwnPlayer> {
  // What no header can hold would be taken for a lost network.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new ProblemError(401, { code: 'token_rejected', detail: 'This is no token.' })
  const headers = { Authorization: `Bearer ${token}` }
  return (await transport.send({ method: 'GET', path: pathTo(['gm', game, 'player', 'me']), headers }))
    .body as OwnPlayer
}
