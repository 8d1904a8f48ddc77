// A log for one call that reads the same streams many times.

import type { StoredEvent } from '../../domain/event.ts'
import type { Log } from '../contract/log.ts'

/**
 * The log, with each page of the chosen streams read once, at its first read: events that are appended to them later
 * are not seen. For a call whose streams are bounded, since it holds the pages.
 */
export function readingOnce(log: Log, isReadOnce: (stream: string) => boolean): Log {
  const pages = new Map<string, Promise<StoredEvent[]>>()
  const readStream: Log['readStream'] = (stream, from, limit) => {
    if (!isReadOnce(stream)) return log.readStream(stream, from, limit)
    const page = `${from} ${limit} ${stream}`
    const known = pages.get(page)
    if (known !== undefined) return known
    const read = log.readStream(stream, from, limit)
    pages.set(page, read)
    return read
  }
  return { ...log, readStream }
}
