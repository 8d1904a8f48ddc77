// Guests of a game, kept on the device: `asGuest` answers the kept one, without a network, or creates one and keeps it.

import { type Calls, pathTo } from './caller.ts'
import { type GuestStore, guestStore, type KeptGuest, sessionOf } from './kept-guest.ts'
import { type PlayerClient, type PlayerSetting, playerClient, refreshed, type SessionKeeper } from './player.ts'
import { ProblemError } from './problem.ts'
import type { SignedIn } from './shapes.ts'
import { exclusive, itemName } from './storage.ts'

export interface GuestOptions {
  /** For a new guest; a kept one keeps their name. */
  readonly name?: string
  /** Restores this guest, and keeps them instead of the one who is kept. */
  readonly guestToken?: string
}

/** Signs a guest in by the token of the API key. */
export function guestSignIn({ call }: Pick<Calls, 'call'>, game: string, options: GuestOptions): Promise<SignedIn> {
  const { name, guestToken } = options
  const body = {
    ...(name === undefined ? {} : { name }),
    ...(guestToken === undefined ? {} : { guest_token: guestToken }),
  }
  return call('POST', pathTo(['gm', game, 'player', 'guest']), body)
}

/** Two pages that begin at once get one guest. */
export function keptGuest(calls: Calls, setting: PlayerSetting, options: GuestOptions): Promise<PlayerClient> {
  const { baseUrl, game, keyPrefix, storage } = setting.context
  const store = guestStore(storage, baseUrl, game)
  return exclusive(itemName(baseUrl, game, 'guest'), async () => {
    const kept = options.guestToken === undefined ? await store.read() : null
    const guest = kept ?? (await newGuest())
    const keeper = guestKeeper(calls, setting, store, guest.guestToken)
    const session = guest.session?.key === keyPrefix ? guest.session : null
    return playerClient(
      { ...setting, keeper },
      { ...guest, refreshToken: session?.refreshToken ?? null, token: session },
    )
  })

  async function newGuest(): Promise<KeptGuest> {
    const signedIn = await guestSignIn(calls, game, options)
    const guestToken = signedIn.guest_token ?? options.guestToken ?? ''
    const guest = { player: signedIn.player, guestToken, session: sessionOf(signedIn, keyPrefix) }
    await store.write(guest)
    return guest
  }
}

function guestKeeper(calls: Calls, setting: PlayerSetting, store: GuestStore, guestToken: string): SessionKeeper {
  const { game, keyPrefix } = setting.context
  /** Changes what is kept, unless another guest is kept by now. */
  async function change(changed: Partial<KeptGuest>): Promise<void> {
    const kept = await store.read()
    if (kept?.guestToken === guestToken) await store.write({ ...kept, ...changed })
  }
  const signedIn = (answer: SignedIn) => change({ player: answer.player, session: sessionOf(answer, keyPrefix) })

  async function newSession(refreshToken: string | null): Promise<SignedIn> {
    if (refreshToken !== null) {
      try {
        return await refreshed(setting, refreshToken)
      } catch (failure) {
        if (!isRejected(failure)) throw failure
      }
    }
    try {
      return await guestSignIn(calls, game, { guestToken })
    } catch (failure) {
      // The player was deleted, or the token is void. The next `asGuest` creates a guest.
      if (isRejected(failure)) await store.forget(guestToken)
      throw failure
    }
  }
  return {
    renew: async (refreshToken) => {
      const answer = await newSession(refreshToken)
      await signedIn(answer)
      return answer
    },
    signedIn,
    renamed: (player) => change({ player }),
    signedOut: () => change({ session: null }),
  }
}

const isRejected = (failure: unknown): boolean => failure instanceof ProblemError && failure.code === 'sign_in_rejected'
