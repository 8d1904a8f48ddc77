// Seals what lies in a vault under a master key. The key's id stands before each sealed value, so that keys can be
// rotated: new values take the current one, old ones still open under a previous one.

import { LRUCache } from 'lru-cache'
import type { Placed, SecretKind, Vault } from '../contract/vault.ts'
import { byId, keyIdOf, type MasterKeys, openRow, sealRow } from './row.ts'

/** Player keys remembered open, and for how long: another process may destroy one, and must be heeded within 2 s. */
const MAX_REMEMBERED_KEYS = 16_384
const REMEMBERED_MS = 2_000

/** Reads reject where a value was sealed under a master key that is not given, or was tampered with. */
export function sealVault(inner: Vault, masterKeys: MasterKeys): Vault {
  const keys = byId(masterKeys)
  // Player keys only: they are asked for with each event that holds a name.
  const remembered = new LRUCache<string, Uint8Array>({ max: MAX_REMEMBERED_KEYS, ttl: REMEMBERED_MS })
  // Grows with each destruction: what was asked for before one and answered after it is not remembered.
  let destructions = 0

  const close = (place: Placed, value: Uint8Array) => sealRow(masterKeys.current, place, value)

  function open(place: Placed, sealed: Uint8Array): Uint8Array {
    const { kind, id } = place
    // A player's key that is buried is nothing, and not sealed. Nothing else may come to nothing.
    if (kind === 'player-key' && sealed.length === 0) return sealed
    const name = keyIdOf(sealed)
    const key = keys.get(name)
    if (key === undefined)
      throw new Error(`The ${kind} of ${id} is sealed under master key ${name}, which is not given`)
    const value = openRow(key, place, sealed)
    if (value === null) throw new Error(`The ${kind} of ${id} does not open under master key ${name}`)
    return value
  }

  /** Answers from memory, or asks the store and opens what it answers. */
  async function recall<T extends Uint8Array | null>(
    kind: SecretKind,
    id: string,
    ask: () => Promise<T>,
  ): Promise<Uint8Array | T> {
    if (kind !== 'player-key') return opened(kind, id, await ask())
    const known = remembered.get(id)
    if (known !== undefined) return known
    const before = destructions
    const value = opened(kind, id, await ask())
    if (value !== null && before === destructions) remembered.set(id, value)
    return value
  }

  function opened<T extends Uint8Array | null>(kind: SecretKind, id: string, sealed: T): Uint8Array | T {
    return sealed === null ? sealed : open({ kind, id }, sealed)
  }

  async function destroy(kind: SecretKind, id: string): Promise<void> {
    forget(kind, id)
    await inner.destroy(kind, id)
    // Once more: it may have been asked for, and answered, while it was being destroyed.
    forget(kind, id)
  }

  async function bury(kind: SecretKind, id: string): Promise<void> {
    forget(kind, id)
    await inner.bury(kind, id)
    forget(kind, id)
  }

  function forget(kind: SecretKind, id: string): void {
    if (kind !== 'player-key') return
    destructions += 1
    remembered.delete(id)
  }

  async function replace(kind: SecretKind, id: string, value: Uint8Array): Promise<boolean> {
    forget(kind, id)
    const replaced = await inner.replace(kind, id, close({ kind, id }, value))
    forget(kind, id)
    return replaced
  }

  return {
    putIfAbsent: (kind, id, value) => recall(kind, id, () => inner.putIfAbsent(kind, id, close({ kind, id }, value))),
    get: (kind, id) => recall<Uint8Array | null>(kind, id, () => inner.get(kind, id)),
    replace,
    destroy,
    bury,
    close: () => inner.close(),
  }
}
