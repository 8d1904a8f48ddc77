// Validates extra_data of a score: any JSON within limits, stored as canonical text.

import canonicalize from 'canonicalize'
import { Refusal } from '../../domain/decider.ts'
import type { Json } from '../../domain/event.ts'

const EXTRA_MAX_BYTES = 8 * 1024
const EXTRA_MAX_LEVELS = 32

/** Canonical JSON (RFC 8785), or null for null. Throws 422 `extra_data_too_large`. */
export function extraText(extra: unknown): string | null {
  if (extra === null) return null
  const text = canonicalize(extra) ?? 'null'
  if (Buffer.byteLength(text) <= EXTRA_MAX_BYTES && levelsOf(extra as Json) <= EXTRA_MAX_LEVELS) return text
  throw new Refusal(
    'unprocessable',
    'extra_data_too_large',
    `extra_data is too large. It may have at most ${EXTRA_MAX_BYTES} bytes as JSON and ${EXTRA_MAX_LEVELS} levels.`,
  )
}

function levelsOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Object.values(value).reduce((deepest: number, one: Json) => Math.max(deepest, levelsOf(one)), 0)
}
