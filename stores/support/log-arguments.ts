// Checks the arguments of calls of a log, so that all adapters refuse the same, and serialises an append to JSON once.

import { isJsonObject, type NewEvent, UUID } from '../../domain/event.ts'
import { type Expected, NotSent } from '../contract/log.ts'
import { hasNul } from './storable.ts'

/** Maximum bytes of data and metadata of one append, as JSON in UTF-8. */
const MAX_APPEND_BYTES = 512 * 1024

interface EventText {
  readonly event: NewEvent
  readonly data: string
  readonly meta: string
  readonly bytes: number
}

export interface CheckedAppend {
  readonly stream: string
  /** The revision that the stream must have; -1 if it must not exist. */
  readonly base: number
  /** Whether the stream's random id was made for this append. */
  readonly isMade: boolean
  readonly events: readonly EventText[]
}

/** Throws NotSent for an invalid append. Every adapter calls it first. */
export function checkAppend(stream: string, expected: Expected, events: readonly NewEvent[]): CheckedAppend {
  if (stream === '' || hasNul(stream)) throw new NotSent('A stream must have a name, without NUL characters')
  const begins = expected === 'none' || expected === 'made'
  if (!begins && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new NotSent(`The expected revision must be 'none', 'made' or a whole number from 0, not ${expected}`)
  }
  if (events.length === 0) throw new NotSent(`An append to ${stream} needs at least one event`)
  const texts = events.map(textOf)
  const bytes = texts.reduce((sum, text) => sum + text.bytes, 0)
  if (bytes > MAX_APPEND_BYTES) {
    throw new NotSent(`An append to ${stream} has ${bytes} bytes; at most ${MAX_APPEND_BYTES} are taken`, true)
  }
  return { stream, base: begins ? -1 : expected, isMade: expected === 'made', events: texts }
}

function textOf(event: NewEvent): EventText {
  if (!UUID.test(event.id)) throw new NotSent(`An event's id must be a UUID, not ${JSON.stringify(event.id)}`)
  if (typeof event.type !== 'string' || event.type === '') throw new NotSent(`Event ${event.id} has no type`)
  if (!isJsonObject(event.data)) throw new NotSent(`Event ${event.id} (${event.type}) has no data`)
  if (!isJsonObject(event.meta)) throw new NotSent(`Event ${event.id} (${event.type}) has no metadata`)
  if (hasNul(event.type) || hasNul(event.meta.game ?? '') || hasNul(event.meta.board ?? '')) {
    throw new NotSent(`Event ${event.id} has a NUL character in its type, game or board`)
  }
  const data = JSON.stringify(event.data)
  const meta = JSON.stringify(event.meta)
  return { event, data, meta, bytes: Buffer.byteLength(data) + Buffer.byteLength(meta) }
}

/** Throws a RangeError for a limit that is not an integer of at least 1. */
export function requireLimit(limit: number): number {
  if (!(Number.isSafeInteger(limit) && limit >= 1)) throw new RangeError(`A limit must be at least 1, not ${limit}`)
  return limit
}

/** Throws a RangeError for a revision that no event can have: one that is negative or not an integer. */
export function requireRevision(revision: number): number {
  const isRevision = Number.isSafeInteger(revision) && revision >= 0
  if (!isRevision) throw new RangeError(`A revision must be an integer of at least 0, not ${revision}`)
  return revision
}
