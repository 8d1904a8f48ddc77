// Entry point for games: connects with a client key, keeps a guest on the device, submits and reads scores. Uses only
// fetch and WebCrypto, so it runs in browsers (https or localhost), Node from 20 on, Deno and Bun.

import { createBearer, createClock } from './bearer.ts'
import { createCalls } from './caller.ts'
import { type GuestOptions, keptGuest, keptOrNewGuest } from './guests.ts'
import { handshake } from './handshake.ts'
import { hasKeptGuests } from './kept-guest.ts'
import { type PlayerClient, refreshed, signedInPlayer } from './player.ts'
import { type ScoreCalls, scoreCalls } from './scores.ts'
import { type SignInCalls, signInCalls } from './sign-in.ts'
import { type ApiKey, signerOf } from './signing.ts'
import { defaultStorage, type KeyValueStorage } from './storage.ts'
import { createSender, rootOf, type TransportOptions } from './transport.ts'

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
export type { KeyValueStorage } from './storage.ts'

export interface GameOptions extends TransportOptions {
  readonly key: ApiKey
  /** Keeps the guest and outboxes; never the key. Default: `localStorage` in a browser, memory elsewhere. */
  readonly storage?: KeyValueStorage
  /** Permissions to request; absent or empty: all permissions of the key. */
  readonly permissions?: readonly string[]
  /** Unix milliseconds; for tests. */
  readonly now?: () => number
}

export interface GameClient extends ScoreCalls, SignInCalls {
  /** The bearer token of the key, renewed if it expires soon. */
  token(): Promise<string>
  /** The guest kept for this game; else creates one and keeps them. A kept guest needs no network. */
  asGuest(game: string, guest?: GuestOptions): Promise<PlayerClient>
  /** The guest kept for this game, without a network; null if there is none, such as after `signOut`. */
  keptGuest(game: string): Promise<PlayerClient | null>
  /**
   * Resumes a player's session, with the `refreshToken` that their client had last: within 30 days, also after the
   * program ended. Rejects with ProblemError `sign_in_rejected` if the session is over.
   */
  resume(game: string, refreshToken: string): Promise<PlayerClient>
}

/**
 * Runs the handshake, unless a guest is kept for this base URL: then it is run by the first call that needs it. Rejects
 * with ProblemError if the key is rejected, with Unreachable if no server answers.
 */
export async function connect(options: GameOptions): Promise<GameClient> {
  const { key, permissions = [], now = Date.now, storage = defaultStorage() } = options
  const baseUrl = rootOf(options.baseUrl)
  const sender = createSender(options)
  const clock = createClock(now)
  const sign = await signerOf(key)
  const bearer = createBearer(null, () => handshake({ transport: sender, clock, key, permissions, sign }), clock)
  const calls = createCalls(sender, bearer)
  const settingOf = (game: string) => {
    return { sender, clock, context: { baseUrl, game, keyPrefix: key.prefix, storage, now } }
  }
  if (!(await hasKeptGuests(storage, baseUrl))) await bearer.token()
  return {
    ...scoreCalls(calls),
    ...signInCalls(calls, settingOf),
    token: () => bearer.token(),
    asGuest: (game, guest = {}) => keptOrNewGuest(calls, settingOf(game), guest),
    keptGuest: (game) => keptGuest(calls, settingOf(game)),
    resume: async (game, refreshToken) => {
      const setting = settingOf(game)
      return signedInPlayer(setting, await refreshed(setting, refreshToken))
    },
  }
}
