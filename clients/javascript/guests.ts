// Guests of a game, kept on the device: `asGuest` answers the kept one, without a network, or creates one and keeps it.
// Signing out forgets them: neither this page nor another one of the device signs them in again by itself.

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
export function keptOrNewGuest(calls: Calls, setting: PlayerSetting, options: GuestOptions): Promise<PlayerClient> {
  const { baseUrl, game, keyPrefix } = setting.context
  const store = storeOf(setting)
  return exclusive(itemName(baseUrl, game, 'guest'), async () => {
    const kept = options.guestToken === undefined ? await store.read() : null
    return guestClient(calls, setting, store, kept ?? (await newGuest()))
  })

  async function newGuest(): Promise<KeptGuest> {
    const signedIn = await guestSignIn(calls, game, options)
    const guestToken = signedIn.guest_token ?? options.guestToken ?? ''
    const guest = { player: signedIn.player, guestToken, session: sessionOf(signedIn, keyPrefix) }
    await store.write(guest)
    return guest
  }
}

/** Null if no guest is kept. Needs no network. */
export async function keptGuest(calls: Calls, setting: PlayerSetting): Promise<PlayerClient | null> {
  const store = storeOf(setting)
  const kept = await store.read()
  return kept === null ? null : guestClient(calls, setting, store, kept)
}

function storeOf({ context: { storage, baseUrl, game } }: PlayerSetting): GuestStore {
  return guestStore(storage, baseUrl, game)
}

async function guestClient(
  calls: Calls,
  setting: PlayerSetting,
  store: GuestStore,
  guest: KeptGuest,
): Promise<PlayerClient> {
  const keeper = await guestKeeper(calls, setting, store, guest.guestToken)
  const session = guest.session.key === setting.context.keyPrefix ? guest.session : null
  return playerClient({ ...setting, keeper }, { ...guest, refreshToken: session?.refreshToken ?? null, token: session })
}

async function guestKeeper(
  calls: Calls,
  setting: PlayerSetting,
  store: GuestStore,
  guestToken: string,
): Promise<SessionKeeper> {
  const { game, keyPrefix } = setting.context
  const isKept = async () => (await store.read())?.guestToken === guestToken
  // A guest whom a full or forbidden storage could not take plays on.
  const wasKept = await isKept()
  let isSignedOut = false
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
    // Another page may have signed out.
    if (isSignedOut || (wasKept && !(await isKept()))) throw signedOutProblem()
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
    signedOut: () => {
      isSignedOut = true
      return store.forget(guestToken)
    },
  }
}

const signedOutProblem = () =>
  new ProblemError(401, { code: 'sign_in_rejected', detail: 'This guest is signed out on this device.' })

const isRejected = (failure: unknown): boolean => failure instanceof ProblemError && failure.code === 'sign_in_rejected'
