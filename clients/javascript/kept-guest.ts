// The guest of a game that a device keeps: who they are, the token that restores them, and their session.

import type { OwnPlayer, SignedIn } from './shapes.ts'
import { itemName, type KeyValueStorage, readJson } from './storage.ts'

/** What a page load needs to go on with a session. */
export interface KeptSession {
  /** Prefix of the key with which it began. With another key, the guest signs in again. */
  readonly key: string
  readonly refreshToken: string
  readonly token: string
  /** Unix seconds. */
  readonly expires_at: number
}

export interface KeptGuest {
  readonly player: OwnPlayer
  readonly guestToken: string
  readonly session: KeptSession
}

export interface GuestStore {
  /** The kept guest; null if there is none, or the item is damaged. */
  read(): Promise<KeptGuest | null>
  write(guest: KeptGuest): Promise<void>
  /** Forgets the guest of this token, but not one that has replaced them. */
  forget(guestToken: string): Promise<void>
}

/** `baseUrl` without a trailing slash. */
export function guestStore(storage: KeyValueStorage, baseUrl: string, game: string): GuestStore {
  const name = itemName(baseUrl, game, 'guest')
  const read = async () => {
    const found = await readJson(storage, name)
    return isKeptGuest(found) ? found : null
  }
  return {
    read,
    async write(guest) {
      try {
        await storage.setItem(name, JSON.stringify(guest))
        await storage.setItem(itemName(baseUrl), 'guests')
      } catch {
        // A full or forbidden storage: the guest plays on, until the page is closed.
      }
    },
    async forget(guestToken) {
      if ((await read())?.guestToken === guestToken) await storage.removeItem(name)
    },
  }
}

/** Whether a guest of any game was ever kept for this base URL. */
export async function hasKeptGuests(storage: KeyValueStorage, baseUrl: string): Promise<boolean> {
  return (await storage.getItem(itemName(baseUrl))) !== null
}

export function sessionOf(signedIn: SignedIn, key: string): KeptSession {
  const { refresh_token: refreshToken, token, expires_at } = signedIn
  return { key, refreshToken, token, expires_at }
}

function isKeptGuest(value: unknown): value is KeptGuest {
  const { player, guestToken, session } = (value ?? {}) as Partial<KeptGuest>
  return typeof guestToken === 'string' && typeof player?.id === 'string' && typeof session?.token === 'string'
}
