// Reads a key from its stream, beside the view, so that a new key is valid on every node at once, even while
// no projector runs.

import { type Position, recordedAt, unsafeCast } from '../domain/event.ts'
import { type Key, type KeyEvent, key, keyStream } from '../domain/key.ts'
import type { Log } from '../stores/contract/log.ts'
import { eventsFrom } from '../stores/support/events-from.ts'

/** The form of key prefixes; other text is not looked up in the log. */
const PREFIX = /^[A-Za-z0-9_-]{1,64}$/
/** A slow log must not delay keys that the views contain. */
const TIMEOUT_MS = 250

interface KeyInLog {
  readonly state: Key
  readonly pos: Position
}

/** Null if there is no such key, or if the log does not answer in time; the views decide then. */
export type ReadKey = (prefix: string) => Promise<KeyInLog | null>

export function keysInLog(log: Pick<Log, 'readStream'>): ReadKey {
  return async (prefix) => {
    if (!PREFIX.test(prefix)) return null
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, TIMEOUT_MS, null)
    })
    try {
      return await Promise.race([foldKey(log, prefix).catch(() => null), tooLong])
    } finally {
      clearTimeout(timer)
    }
  }
}

async function foldKey(log: Pick<Log, 'readStream'>, prefix: string): Promise<KeyInLog | null> {
  let state: Key | null = null
  let pos: Position = ''
  for await (const event of eventsFrom(log, keyStream(prefix))) {
    state = key.evolve(state, unsafeCast<KeyEvent>(event), recordedAt(event))
    pos = event.position
  }
  return state === null ? null : { state, pos }
}
