// Encrypts the values of a vault under a master key. The id of the key precedes each encrypted value, which allows
// rotation: new values use the current key, old ones still open under a previous one.

import { lru } from '../../../runtime/lru.ts'
import type { Secret, SecretKind, SecretReference, Vault, VaultStore } from '../../contract/vault.ts'
import { byId, keyIdOf, type MasterKeys, openRow, sealRow } from './row.ts'

/**
 * Cache of decrypted player keys. The TTL is short because another process may destroy a key, which must take effect
 * within 2 s.
 */
const MAX_CACHED_KEYS = 16_384
const CACHED_MS = 2_000

/** Reads reject if the master key of a value is not configured, or if the value was tampered with. */
export function sealVault(inner: Vault, masterKeys: MasterKeys): Vault {
  const cache = new PlayerKeys()
  const open = createOpening(masterKeys)
  const close = (kind: SecretKind, id: string, value: Uint8Array) => sealRow(masterKeys.current, { kind, id }, value)

  /** Returns a cached key, or what `ask` returns. */
  async function recall<T extends Uint8Array | null>(
    kind: SecretKind,
    id: string,
    ask: () => Promise<T>,
  ): Promise<Uint8Array | T> {
    if (kind !== 'player-key') return ask()
    const known = cache.get(id)
    if (known !== undefined) return known
    const before = cache.forgotten
    const value = await ask()
    if (value !== null && before === cache.forgotten) cache.set(id, value)
    return value
  }

  async function get(kind: SecretKind, id: string): Promise<Uint8Array | null> {
    const sealed = await inner.get(kind, id)
    return sealed === null ? null : open({ kind, id }, sealed)
  }

  async function putIfAbsent(kind: SecretKind, id: string, value: Uint8Array): Promise<Uint8Array> {
    const own = close(kind, id, value)
    const sealed = await inner.putIfAbsent(kind, id, own)
    // No other value has its nonce.
    return Buffer.compare(sealed, own) === 0 ? new Uint8Array(value) : open({ kind, id }, sealed)
  }

  /** Drops the key from the cache before and after the change, because a read may run in between. */
  async function changing<T>(kind: SecretKind, id: string, change: () => Promise<T>): Promise<T> {
    if (kind === 'player-key') cache.forget(id)
    const changed = await change()
    if (kind === 'player-key') cache.forget(id)
    return changed
  }

  return {
    putIfAbsent: (kind, id, value) => recall(kind, id, () => putIfAbsent(kind, id, value)),
    get: (kind, id) => recall(kind, id, () => get(kind, id)),
    replace: (kind, id, value) => changing(kind, id, async () => inner.replace(kind, id, close(kind, id, value))),
    destroy: (kind, id) => changing(kind, id, () => inner.destroy(kind, id)),
    destroyForGood: (kind, id) => changing(kind, id, () => inner.destroyForGood(kind, id)),
    idsOf: (kind, after, limit) => inner.idsOf(kind, after, limit),
    close: () => inner.close(),
  }
}

/** Cache of decrypted player keys: each event with a name needs one. */
class PlayerKeys {
  readonly #keys = lru<string, Uint8Array>(MAX_CACHED_KEYS, CACHED_MS)
  #forgotten = 0

  /** Grows with each `forget`, so that a read that began before it does not fill the cache. */
  get forgotten(): number {
    return this.#forgotten
  }

  get(id: string): Uint8Array | undefined {
    return this.#keys.get(id)
  }

  set(id: string, key: Uint8Array): void {
    this.#keys.set(id, key)
  }

  forget(id: string): void {
    this.#forgotten += 1
    this.#keys.delete(id)
  }
}

function createOpening(masterKeys: MasterKeys): (reference: SecretReference, sealed: Uint8Array) => Uint8Array {
  const keys = byId(masterKeys)
  return (reference, sealed) => {
    const { kind, id } = reference
    // The tombstone of a player key is empty and not encrypted. No other secret may be empty.
    if (kind === 'player-key' && sealed.length === 0) return sealed
    const name = keyIdOf(sealed)
    const key = keys.get(name)
    if (key === undefined)
      throw new Error(`The ${kind} of ${id} is encrypted with master key ${name}, which is not configured`)
    const value = openRow(key, reference, sealed)
    if (value === null) throw new Error(`The ${kind} of ${id} does not open under master key ${name}`)
    return value
  }
}

/** All secrets, `limit` per read. Secrets that are written meanwhile may be missing. */
export async function* vaultPages(vault: Pick<VaultStore, 'scan'>, limit: number): AsyncIterable<readonly Secret[]> {
  for (let after: SecretReference | null = null; ; ) {
    const page: readonly Secret[] = await vault.scan(after, limit)
    yield page
    if (page.length < limit) return
    after = page.at(-1) ?? null
  }
}
