// The frozen events: one example of every (type, version) ever written to a log, in the order of a small history. The
// file is never changed, because existing logs contain such events.

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
