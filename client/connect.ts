// Entry point of the client library: connects with a key, renews the token, and safely retries calls that the network
// lost. Uses only fetch and WebCrypto, so it runs in browsers (https or localhost) and in Node from 20 on.

import { createBearer, createClock } from './bearer.ts'
import { type BucketCalls, bucketCalls } from './buckets.ts'
import { createCaller, pathTo } from './caller.ts'
import { type FileCalls, fileCalls } from './files.ts'
import { handshake } from './handshake.ts'
import { type HistoryCalls, historyCalls } from './history.ts'
import { type PlayerClient, playerClient, refreshed } from './player.ts'
import { type ScoreCalls, scoreCalls } from './scores.ts'
import type { SignedIn } from './shapes.ts'
import { type SignInCalls, signInCalls } from './sign-in.ts'
import { type ApiKey, signerOf } from './signing.ts'
import { type TenantCalls, tenantCalls } from './tenant.ts'
import { createTransport, type TransportOptions } from './transport.ts'
import { type ViewsCalls, viewsCalls } from './views.ts'

export type { PlayerClient } from './player.ts'
export type { Fault } from './problem.ts'
export { ProblemError, Unreachable } from './problem.ts'
export type { ApiKey } from './signing.ts'

export interface ConnectOptions extends TransportOptions {
  readonly key: ApiKey
  /** Permissions to request; absent or empty: all permissions of the key. */
  readonly permissions?: readonly string[]
  /** Unix milliseconds; for tests. */
  readonly now?: () => number
}

export interface Client extends ScoreCalls, FileCalls, TenantCalls, BucketCalls, SignInCalls, HistoryCalls, ViewsCalls {
  /** Permissions of the first token, and requested ones that the key lacks. */
  readonly permissions: readonly string[]
  readonly declined: readonly string[]
  /** The bearer token, renewed if it expires soon. */
  token(): Promise<string>
  /** Creates a guest, or restores one with `guestToken`. */
  asGuest(game: string, guest?: { readonly name?: string; readonly guestToken?: string }): Promise<PlayerClient>
  /** Resumes a player's session with the refresh token of an earlier one. */
  resume(game: string, refreshToken: string): Promise<PlayerClient>
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
  return {
    ...scoreCalls(caller),
    ...tenantCalls(caller),
    ...fileCalls(caller),
    ...bucketCalls(caller),
    ...historyCalls(caller),
    ...viewsCalls(caller),
    permissions: first.permissions,
    declined: first.declined,
    token: () => bearer.token(),
    ...signInCalls(caller, (game) => ({ transport, clock, game })),
    asGuest: async (game, { name, guestToken } = {}) => {
      const body = {
        ...(name === undefined ? {} : { name }),
        ...(guestToken === undefined ? {} : { guest_token: guestToken }),
      }
      const signedIn = await caller.call<SignedIn>('POST', pathTo(['gm', game, 'player', 'guest']), body)
      return playerClient({ transport, clock, game }, signedIn)
    },
    resume: async (game, refreshToken) => {
      const session = { transport, clock, game }
      return playerClient(session, await refreshed(session, refreshToken))
    },
  }
}
