// Opens the stores as the program uses them: secrets and personal text are encrypted under a master key, which must
// open what is stored. The root secret is stored encrypted in the vault and outlives every master key.

import { randomBytes } from 'node:crypto'
import type { Position, StoredEvent } from '../../../domain/event.ts'
import { StoresFault, StoreUnavailable } from '../../contract/faults.ts'
import type { History } from '../../contract/history.ts'
import type { Append, AppendResult, Log } from '../../contract/log.ts'
import type { OpenedStores, Stores } from '../../contract/stores.ts'
import type { Vault, VaultStore } from '../../contract/vault.ts'
import { appendAll, appendWithout } from '../../support/append-all.ts'
import { createEventSeals, type PersonalFields } from './events.ts'
import { byId, keyIdOf, type MasterKey, type MasterKeys, openRow } from './row.ts'
import { sealVault } from './vault.ts'

export interface RootedKey extends MasterKey {
  /** The master key itself: the root secret of an installation that was created without one. */
  readonly master: Uint8Array
}

interface Sealed {
  readonly stores: Stores
  /** All keys of this installation except the encryption keys derive from it: 32 bytes or more, never changes. */
  readonly root: Uint8Array
  /** Id of the restore that made this installation; null if none did. */
  readonly restoreId: string | null
  /** Id of the import that filled these stores; null if none did. */
  readonly importId: string | null
}

/**
 * Throws StoresFault if the vault is encrypted under a master key that is not configured, or if the log is not empty
 * and the vault is.
 */
export async function openSealed(
  opened: OpenedStores,
  keys: MasterKeys<RootedKey>,
  personalFields: Readonly<Record<string, readonly string[]>>,
): Promise<Sealed> {
  const root = await rootOf(opened.vault, opened.log, keys).catch((error: unknown) => {
    throw error instanceof StoreUnavailable ? new StoresFault(error.message) : error
  })
  const vault = sealVault(opened.vault, keys)
  const history = opened.history === null ? null : sealHistory(opened.history, vault, personalFields)
  const [restoreId, importId] = await Promise.all([RESTORED, IMPORTED].map((record) => textOf(vault, record)))
  const stores = { ...opened, vault, log: sealLog(opened.log, vault, personalFields), history }
  return { stores, root, restoreId: restoreId ?? null, importId: importId ?? null }
}

const MARKER = { kind: 'installation', id: 'begun' } as const
export const ROOT = { kind: 'installation', id: 'root' } as const
/** The id of the last restore; absent in an installation that was never restored. */
export const RESTORED = { kind: 'installation', id: 'restored' } as const
/** The id of the import that filled these stores; absent if none did. */
export const IMPORTED = { kind: 'installation', id: 'imported' } as const
const ROOT_BYTES = 32

async function textOf(
  vault: Pick<VaultStore, 'get'>,
  { kind, id }: typeof RESTORED | typeof IMPORTED,
): Promise<string | null> {
  const value = await vault.get(kind, id)
  return value === null ? null : Buffer.from(value).toString()
}

/**
 * The marker shows which master key the installation uses: key rotation re-encrypts it last. It is also written last
 * when an installation is created, so a marker without a root secret is of a version that had none.
 */
async function rootOf(vault: VaultStore, log: Log, keys: MasterKeys<RootedKey>): Promise<Uint8Array> {
  const sealed = sealVault(vault, keys)
  const marker = await vault.get(MARKER.kind, MARKER.id)
  if (marker !== null) {
    const { master } = openingKey(marker, keys)
    return (await sealed.get(ROOT.kind, ROOT.id)) ?? sealed.putIfAbsent(ROOT.kind, ROOT.id, master)
  }
  if ((await log.head()) !== null) {
    throw new StoresFault('The vault is empty, but its log is not: restore the vault. Without it no one can sign in.')
  }
  const root = await sealed.putIfAbsent(ROOT.kind, ROOT.id, randomBytes(ROOT_BYTES))
  await sealed.putIfAbsent(MARKER.kind, MARKER.id, new Uint8Array([1]))
  return root
}

function openingKey(marker: Uint8Array, keys: MasterKeys<RootedKey>): RootedKey {
  const id = keyIdOf(marker)
  const key = byId(keys).get(id)
  if (key !== undefined && openRow(key, MARKER, marker) !== null) return key
  const given = [keys.current, ...keys.previous].map((one) => one.id).join(', ')
  throw new StoresFault(
    `MASTER_KEY does not match the vault: the vault needs the key with id ${id}, the configured keys are ${given}. ` +
      'Set that key in MASTER_KEY or, to replace it by another, in MASTER_KEY_OLD.',
  )
}

/**
 * Encrypts the personal text in a log's events, so that destroying a player's key makes it unreadable everywhere: in
 * the log, its backups and exports. `vault` should be a sealed vault, which caches player keys and drops one at once
 * when it is destroyed through it. An append rejects with NotSent if personal text has no player. Appends with
 * personal text wait for its key, so later appends may overtake them; those of one `appendAll` do not.
 */
export function sealLog(inner: Log, vault: Vault, personalFields: PersonalFields): Log {
  const seals = createEventSeals(vault, personalFields)

  async function eventAt(position: Position): Promise<StoredEvent | null> {
    const event = await inner.eventAt(position)
    if (event === null) return null
    const [opened] = await seals.open([event])
    return opened ?? null
  }

  async function* subscribe(after: Position | null, limit: number, signal: AbortSignal) {
    for await (const events of inner.subscribe(after, limit, signal)) yield await seals.open([...events])
  }

  return {
    // Each retry encrypts again; the log recognises an event by its id alone.
    append: async (stream, expected, events) => inner.append(stream, expected, await seals.seal(events)),
    appendAll: (appends) => {
      const sealed = appends.map(({ events }) => seals.seal(events))
      // Without personal text they are not sealed, and sent at once.
      if (!sealed.some((events) => events instanceof Promise)) return appendAll(inner, appends)
      const ready = appends.map(async ({ stream, expected, events }, nth) => ({
        stream,
        expected,
        events: (await sealed[nth]) ?? events,
      }))
      const sent = Promise.allSettled(ready).then((all) =>
        appendWithout<Append>(
          all.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error))),
          (some) => appendAll(inner, some),
        ),
      )
      return appends.map(async (_, nth) => (await sent)[nth] as Promise<AppendResult>)
    },
    readStream: async (stream, from, limit) => seals.open(await inner.readStream(stream, from, limit)),
    readAll: async (after, limit) => seals.open(await inner.readAll(after, limit)),
    eventAt,
    head: () => inner.head(),
    subscribe,
    close: () => inner.close(),
  }
}

/** Wraps a history and decrypts personal text. */
export function sealHistory(inner: History, vault: Vault, personalFields: PersonalFields): History {
  const seals = createEventSeals(vault, personalFields)
  return {
    part: async (filter, after, limit) => seals.open(await inner.part(filter, after, limit)),
    skip: (...args) => inner.skip(...args),
    lastBy: (...args) => inner.lastBy(...args),
    async nth(filter, after, count) {
      const event = await inner.nth(filter, after, count)
      return event === null ? null : ((await seals.open([event]))[0] ?? null)
    },
    unopened: (...args) => inner.part(...args),
    ...(inner.brief === undefined ? {} : { brief: inner.brief }),
  }
}
