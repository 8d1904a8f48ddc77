// What a game keeps beside a score: any JSON, within bounds, stored as canonical text.

import canonicalize from 'canonicalize'
import { Refusal } from '../../domain/decider.ts'
import type { Json } from '../../domain/event.ts'

const EXTRA_MAX_BYTES = 8 * 1024
const EXTRA_MAX_LEVELS = 32

/** Canonical JSON (RFC 8785) of what the game wants kept; null for nothing. */
export function extraText(extra: unknown): string | null {
  if (extra === null) return null
  const text = canonicalize(extra) ?? 'null'
  if (Buffer.byteLength(text) <= EXTRA_MAX_BYTES && levelsOf(extra as Json) <= EXTRA_MAX_LEVELS) return text
  throw new Refusal(
    'unprocessable',
    'extra_data_too_large',
    `extra_data may be ${EXTRA_MAX_BYTES} bytes as JSON and ${EXTRA_MAX_LEVELS} levels deep.`,
  )
}

function levelsOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Object.values(value).reduce((most: number, one: Json) => Math.max(most, levelsOf(one)), 0)
}
