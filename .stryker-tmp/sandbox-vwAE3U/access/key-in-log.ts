// A key as its own stream has it, for where the views do not know it yet: so a key that was made while projectors were
// away is good on every node at once.

import { momentOf, type Position, unsafeCast } from '../domain/event.ts'
import { type Key, type KeyEvent, key, keyStream } from '../domain/key.ts'
import type { Log } from '../stores/contract/log.ts'
import { eventsFrom } from '../stores/support/events-from.ts'

/** As prefixes are made; what else is sent is no key's, and is never asked of the log. */
const PREFIX = /^[A-Za-z0-9_-]{1,64}$/
/** A log that does not answer must not hold up keys that the views know. */
const LONGEST_MS = 250

interface KeyInLog {
  readonly state: Key
  readonly pos: Position
}

/** Null where there is none, or where the log does not answer in time: then the views alone count. */
export type ReadKey = (prefix: string) => Promise<KeyInLog | null>

export function keysInLog(log: Pick<Log, 'readStream'>): ReadKey {
  return async (prefix) => {
    if (!PREFIX.test(prefix)) return null
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, LONGEST_MS, null)
    })
    try {
      return await Promise.race([folded(log, prefix).catch(() => null), tooLong])
    } finally {
      clearTimeout(timer)
    }
  }
}

async function folded(log: Pick<Log, 'readStream'>, prefix: string): Promise<KeyInLog | null> {
  let state: Key | null = null
  let pos: Position = ''
  for await (const event of eventsFrom(log, keyStream(prefix))) {
    state = key.evolve(state, unsafeCast<KeyEvent>(event), momentOf(event))
    pos = event.position
  }
  return state === null ? null : { state, pos }
}
