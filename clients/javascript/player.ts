// A signed-in player: the same calls with the player's token, renewed by the refresh token during the session.

import { type BearerToken, type Clock, createBearer } from './bearer.ts'
import { createCalls, pathTo } from './caller.ts'
import { type FileCalls, fileCalls } from './files.ts'
import { type ScoreCalls, scoreCalls } from './scores.ts'
import type { OwnPlayer, Registration, RoomTicket, SignedIn } from './shapes.ts'
import type { KeyValueStorage } from './storage.ts'
import type { Sender } from './transport.ts'

export interface PlayerClient extends ScoreCalls, FileCalls {
  /** The player at sign-in; `me()` fetches the current state. */
  readonly player: OwnPlayer
  /** Restores a new guest later, on another device too. Null if it is not known here. */
  readonly guestToken: string | null
  /** `resume` continues this session with it within 30 days. Null if a kept guest has not signed in again yet. */
  readonly refreshToken: string | null
  readonly context: PlayerContext
  /** The bearer token, renewed if it expires soon. */
  token(): Promise<string>
  /** Exchanges the refresh token for a new bearer token. */
  refresh(): Promise<SignedIn>
  /** The player as they are now. */
  me(attempt?: { readonly retries?: boolean }): Promise<OwnPlayer>
  /** Changes the player's name, which is shown with all of their scores. */
  rename(name: string): Promise<OwnPlayer>
  /** Gives this player (usually a guest) a login. The player keeps everything, and gets a new session. */
  register(registration: Registration): Promise<PlayerClient>
  /**
   * Ends this session, or all sessions of the player. A kept guest is forgotten on this device: only `guestToken`, or a
   * login that was registered, signs them in again.
   */
  signOut(options?: { readonly everywhere?: boolean }): Promise<{ readonly signed_out: number }>
  /** A ticket to the rooms of the game. */
  roomTicket(): Promise<RoomTicket>
}

/** What an outbox needs to know of its player's client. */
export interface PlayerContext {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly game: string
  /** Prefix of the key with which the player signed in: Idempotency-Keys are scoped to it. */
  readonly keyPrefix: string
  readonly storage: KeyValueStorage
  /** Unix milliseconds. */
  readonly now: () => number
}

export interface PlayerSetting {
  readonly sender: Sender
  readonly clock: Clock
  readonly context: PlayerContext
  /** Where the player is kept, for a guest that is. */
  readonly keeper?: SessionKeeper | undefined
}

/** Keeps the player of a session on the device. */
export interface SessionKeeper {
  /** A new session, by the refresh token or else by the guest token. */
  renew(refreshToken: string | null): Promise<SignedIn>
  /** The player has another session. */
  signedIn(signedIn: SignedIn): Promise<void>
  /** The player has another name. */
  renamed(player: OwnPlayer): Promise<void>
  /** The session has ended: the player is forgotten. */
  signedOut(): Promise<void>
}

/** What a sign-in has answered, or what was kept of it. */
export interface PlayerSession {
  readonly player: OwnPlayer
  readonly guestToken: string | null
  readonly refreshToken: string | null
  readonly token: BearerToken | null
}

/** Rejects with ProblemError `sign_in_rejected` if the session is over. */
export async function refreshed({ sender, context }: PlayerSetting, refreshToken: string): Promise<SignedIn> {
  const body = { refresh_token: refreshToken }
  const path = pathTo(['gm', context.game, 'player', 'refresh'])
  return (await sender.send({ method: 'POST', path, body })).body as SignedIn
}

/** The player of an answer to a sign-in. */
export function signedInPlayer(setting: PlayerSetting, signedIn: SignedIn): PlayerClient {
  const { player, guest_token: guestToken = null, refresh_token: refreshToken } = signedIn
  return playerClient(setting, { player, guestToken, refreshToken, token: signedIn })
}

/** The calls of a player; their token is requested by the first one if the session has none. */
export function playerClient(setting: PlayerSetting, session: PlayerSession): PlayerClient {
  const { sender, clock, context, keeper } = setting
  const { player, guestToken } = session
  let { refreshToken } = session
  let last: SignedIn | null = null
  const renew = async () => {
    last = await (keeper === undefined ? refreshed(setting, refreshToken ?? '') : keeper.renew(refreshToken))
    refreshToken = last.refresh_token
    return last
  }
  const bearer = createBearer(session.token, renew, clock)
  const calls = createCalls(sender, bearer)
  const at = (...rest: string[]) => pathTo(['gm', context.game, 'player', ...rest])
  return {
    ...scoreCalls(calls),
    ...fileCalls(calls),
    player,
    guestToken,
    get refreshToken() {
      return refreshToken
    },
    context,
    token: () => bearer.token(),
    refresh: async () => {
      await bearer.replace(await bearer.token())
      return last ?? renew()
    },
    me: ({ retries = true } = {}) => calls.call('GET', at('me'), undefined, { single: !retries }),
    register: async (registration) => {
      const signedIn = await calls.call<SignedIn>('POST', at('register'), registration)
      await keeper?.signedIn(signedIn)
      return playerClient(setting, {
        player: signedIn.player,
        guestToken,
        refreshToken: signedIn.refresh_token,
        token: signedIn,
      })
    },
    rename: async (name) => {
      const renamed = await calls.call<OwnPlayer>('PUT', at('me'), { name })
      await keeper?.renamed(renamed)
      return renamed
    },
    signOut: async (options = {}) => {
      const answer = await calls.call<{ readonly signed_out: number }>('POST', at('signout'), options)
      await keeper?.signedOut()
      return answer
    },
    roomTicket: () => calls.call('POST', pathTo(['gm', context.game, 'rt', 'ticket'])),
  }
}
