// Generates command ids, ids and secrets: derived from an Idempotency-Key and its sender, so that a repeated call gets
// the same ones, or random.

import { randomUUID } from 'node:crypto'
import { drawRandomBytes } from '../runtime/random-bytes.ts'
import { keyedDigest } from './master.ts'
import { idText, uuidOf } from './text.ts'

const SECRET_BYTES = 32

export interface CommandIds {
  readonly command: string
  readonly generator: {
    id(purpose: string): string
    secret(purpose: string): Uint8Array
  }
}

/** The same (API key, player, Idempotency-Key) gives the same command, ids and secrets, on every node on this vault. */
export function keyedIds(key: Uint8Array, actor: string, player: string | null, idempotencyKey: string): CommandIds {
  const digest = (purpose: string) => keyedDigest(key, actor, player ?? '', idempotencyKey, purpose)
  return {
    command: uuidOf(digest('command').toString('hex')),
    generator: { id: (purpose) => idText(digest(`id ${purpose}`)), secret: (purpose) => digest(`secret ${purpose}`) },
  }
}

/** Random ids; one generator gives the same value for the same purpose. */
export function randomIds(): CommandIds {
  const made = new Map<string, Uint8Array>()
  const random = (purpose: string) => {
    const before = made.get(purpose)
    if (before !== undefined) return before
    const bytes = drawRandomBytes(SECRET_BYTES)
    made.set(purpose, bytes)
    return bytes
  }
  return {
    command: randomUUID(),
    generator: { id: (purpose) => idText(random(`id ${purpose}`)), secret: (purpose) => random(`secret ${purpose}`) },
  }
}
