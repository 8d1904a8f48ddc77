// Equality of values.

import { unsafeCast } from '../../../domain/event.ts'

/** True if two values are the same JSON, in any order of fields. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(unsafeCast<Record<string, unknown>>(value)).filter(([, one]) => one !== undefined)
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sorted(one)]))
}
