// A signed-in player: the same calls with the player's token, renewed by the refresh token during the session.

import { type Clock, createBearer } from './bearer.ts'
import { createCaller, pathTo } from './caller.ts'
import { type FileCalls, fileCalls } from './files.ts'
import { type ScoreCalls, scoreCalls } from './scores.ts'
import type { OwnPlayer, Registration, SignedIn } from './shapes.ts'
import type { Transport } from './transport.ts'

export interface PlayerClient extends ScoreCalls, FileCalls {
  /** The player at sign-in; `me()` fetches the current state. */
  readonly player: OwnPlayer
  /** Store it to restore a new guest later. Null for a restored guest. */
  readonly guestToken: string | null
  /** Store it: `resume` continues this session within 30 days. */
  readonly refreshToken: string
  /** The bearer token, renewed if it expires soon. */
  token(): Promise<string>
  /** Exchanges the refresh token for a new bearer token. */
  refresh(): Promise<SignedIn>
  me(): Promise<OwnPlayer>
  rename(name: string): Promise<OwnPlayer>
  /** Gives this player (usually a guest) a login. The player keeps everything, and gets a new session. */
  register(wish: Registration): Promise<PlayerClient>
  /** Ends this session, or all sessions of the player. */
  signOut(options?: { readonly everywhere?: boolean }): Promise<{ readonly signed_out: number }>
}

export interface PlayerSetting {
  readonly transport: Transport
  readonly clock: Clock
  readonly game: string
}

/** Rejects with ProblemError `sign_in_rejected` if the session is over. */
export async function refreshed({ transport, game }: PlayerSetting, refreshToken: string): Promise<SignedIn> {
  const body = { refresh_token: refreshToken }
  const answer = await transport.send({ method: 'POST', path: pathTo(['gm', game, 'player', 'refresh']), body })
  return answer.body as SignedIn
}

export function playerClient(setting: PlayerSetting, signedIn: SignedIn): PlayerClient {
  const { transport, clock, game } = setting
  const { refresh_token: refreshToken, guest_token: guestToken = null, player } = signedIn
  let last = signedIn
  const renew = async () => {
    last = await refreshed(setting, refreshToken)
    return last
  }
  const bearer = createBearer(signedIn, renew, clock)
  const caller = createCaller(transport, bearer)
  const at = (...rest: string[]) => pathTo(['gm', game, 'player', ...rest])
  return {
    ...scoreCalls(caller),
    ...fileCalls(caller),
    player,
    guestToken,
    refreshToken,
    token: () => bearer.token(),
    refresh: async () => {
      await bearer.replace(last.token)
      return last
    },
    me: () => caller.call('GET', at('me')),
    register: async (wish) => playerClient(setting, await caller.call<SignedIn>('POST', at('register'), wish)),
    rename: (name) => caller.call('PUT', at('me'), { name }),
    signOut: (options = {}) => caller.call('POST', at('signout'), options),
  }
}
