// The frozen events: one example of every (type, version) that was ever written to a log, in the order of a small
// history. What stands in the file is never changed: it is what logs out there hold.

import { readFileSync } from 'node:fs'
import { type StoredEvent, unsafeCast } from '../../domain/event.ts'

const path = new URL('./frozen-events.json', import.meta.url)

export const FROZEN: readonly StoredEvent[] = unsafeCast<readonly StoredEvent[]>(JSON.parse(readFileSync(path, 'utf8')))

/** Those of a type, at least one. */
export function frozen(type: string): readonly StoredEvent[] {
  const found = FROZEN.filter((event) => event.type === type)
  if (found.length === 0) throw new Error(`no frozen event of type ${type}`)
  return found
}
