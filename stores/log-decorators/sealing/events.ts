// Encrypts and decrypts the personal text of events, each field under its player's key. Without the key the field
// reads as null.

import type { JsonObject, NewEvent } from '../../../domain/event.ts'
import { isOfFiles, ownerOf, sealingKeyOf } from '../../../domain/personal.ts'
import { drawRandomBytes } from '../../../runtime/random-bytes.ts'
import { NotSent } from '../../contract/log.ts'
import { PLAYER_KEY_BYTES, type Vault } from '../../contract/vault.ts'
import { seal, unseal } from './row.ts'

/** Event type -> data fields with personal text (string, null or absent). */
export type PersonalFields = Readonly<Record<string, readonly string[]>>

/**
 * Prefix of encrypted text. A text without it was written before its field was declared personal, and stays in clear
 * until its player is deleted.
 */
const MARKER = 'sealed:1:'

export const isSealedText = (text: string): boolean => text.startsWith(MARKER)

const isBuried = (key: Uint8Array): boolean => key.length === 0

interface EventSeals {
  /** Returns the same array if no event has personal text. A new key is stored in the vault before this resolves. */
  seal(events: readonly NewEvent[]): Promise<readonly NewEvent[]> | readonly NewEvent[]
  /** Returns the same array if no event has personal text. Never rejects for a missing key. */
  open<E extends NewEvent>(events: E[]): Promise<E[]> | E[]
}

export function createEventSeals(vault: Vault, personalFields: PersonalFields): EventSeals {
  const fieldsOf = new Map(Object.entries(personalFields))

  function textFields(event: NewEvent): readonly string[] {
    const fields = fieldsOf.get(event.type)
    // Paths of the tenant are not personal text.
    if (fields === undefined || (isOfFiles(event) && ownerOf(event) === null)) return []
    return fields.filter((field) => typeof event.data[field] === 'string')
  }

  function isPersonal(event: NewEvent): boolean {
    return fieldsOf.has(event.type) && textFields(event).length > 0
  }

  async function sealOne(event: NewEvent): Promise<NewEvent> {
    if (!isPersonal(event)) return event
    const id = sealingKeyOf(event)
    if (id === null) throw new NotSent(`Event ${event.id} (${event.type}) holds personal text of no player`)
    const kept = (await vault.get('player-key', id)) ?? (await madeKey(id))
    // Encrypt late events of a deleted player under a key that is not stored.
    const key = isBuried(kept) ? drawRandomBytes(PLAYER_KEY_BYTES) : kept
    const data = withFields(event, (text, bound) => MARKER + seal(key, Buffer.from(text), bound).toString('base64url'))
    return { ...event, data }
  }

  const madeKey = (id: string) => vault.putIfAbsent('player-key', id, drawRandomBytes(PLAYER_KEY_BYTES))

  async function openOne<E extends NewEvent>(event: E): Promise<E> {
    if (!isPersonal(event)) return event
    const id = sealingKeyOf(event)
    const key = id === null ? null : await vault.get('player-key', id)
    const data = withFields(event, (text, bound) => {
      if (!isSealedText(text)) return key !== null && isBuried(key) ? null : text
      const sealed = Buffer.from(text.slice(MARKER.length), 'base64url')
      return key === null || isBuried(key) ? null : (unseal(key, sealed, bound)?.toString() ?? null)
    })
    return { ...event, data }
  }

  function withFields(event: NewEvent, change: (text: string, bound: string) => string | null): JsonObject {
    const changed = textFields(event).map((field) => [field, change(String(event.data[field]), `${event.id}/${field}`)])
    return { ...event.data, ...Object.fromEntries(changed) }
  }

  return {
    seal: (events) => (events.some(isPersonal) ? Promise.all(events.map(sealOne)) : events),
    open: (events) => (events.some(isPersonal) ? Promise.all(events.map(openOne)) : events),
  }
}
