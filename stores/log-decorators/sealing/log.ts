// Encrypts the personal text in a log's events, so that destroying a player's key makes it unreadable everywhere: in
// the log, its backups and exports. Events without such text pass through unchanged.

import type { Position, StoredEvent } from '../../../domain/event.ts'
import type { History } from '../../contract/history.ts'
import type { Log } from '../../contract/log.ts'
import type { Vault } from '../../contract/vault.ts'
import { createEventSeals, type PersonalFields } from './events.ts'

/**
 * Wraps a log. `vault` should be a sealed vault, which caches player keys and drops one at once when it is destroyed
 * through it. An append rejects with NotSent if personal text has no player. Appends with personal text wait for its
 * key, so later appends may overtake them.
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
    async nth(filter, after, count) {
      const event = await inner.nth(filter, after, count)
      return event === null ? null : ((await seals.open([event]))[0] ?? null)
    },
    unopened: (...args) => inner.part(...args),
    ...(inner.brief === undefined ? {} : { brief: inner.brief }),
  }
}
