// Where command ids, ids and secrets come from: from an Idempotency-Key and who sent it, so that a repeated call makes the
// same ones, or from randomness.

import { randomBytes, randomUUID } from 'node:crypto'
import { stringify as uuidText } from 'uuid'
import { keyedDigest } from './master.ts'
import { idText } from './text.ts'

export interface Minting {
  readonly command: string
  readonly mint: {
    id(purpose: string): string
    secret(purpose: string): Uint8Array
  }
}

/** The same (API key, player, Idempotency-Key) gives the same command, ids and secrets, on every node with this master key. */
export function keyedMinting(key: Uint8Array, actor: string, player: string | null, idempotencyKey: string): Minting {
  const digest = (purpose: string) => keyedDigest(key, actor, player ?? '', idempotencyKey, purpose)
  return {
    command: asUuid(digest('command')),
    mint: { id: (purpose) => idText(digest(`id ${purpose}`)), secret: (purpose) => digest(`secret ${purpose}`) },
  }
}

/** Random, but the same purpose gives the same value within one minting. */
export function freshMinting(): Minting {
  const made = new Map<string, Uint8Array>()
  const random = (purpose: string) => {
    const before = made.get(purpose)
    if (before !== undefined) return before
    const bytes = randomBytes(32)
    made.set(purpose, bytes)
    return bytes
  }
  return {
    command: randomUUID(),
    mint: { id: (purpose) => idText(random(`id ${purpose}`)), secret: (purpose) => random(`secret ${purpose}`) },
  }
}

/** 16 bytes of a digest as a UUID of version 8 (RFC 9562, section 5.8: made by the application). */
function asUuid(digest: Uint8Array): string {
  const bytes = digest.slice(0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return uuidText(bytes)
}
