// The envelope and metadata of every recorded event. The event types themselves are defined with their aggregates.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** For values that came from JSON. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of events, in any case. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Maximum nesting of objects and lists, in request bodies and in an event's data or metadata. */
export const JSON_MAX_DEPTH = 40

/** Whether a value is nested deeper than `JSON_MAX_DEPTH`. Stops at that depth, so no value overflows the stack. */
export function isTooDeep(value: unknown, levelsLeft: number = JSON_MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levelsLeft === 0) return true
  for (const one of Object.values(value)) if (isTooDeep(one, levelsLeft - 1)) return true
  return false
}

/** An event's metadata. Times are ISO 8601, UTC, milliseconds (`2026-11-21T07:05:01.123Z`). */
export interface EventMeta {
  /** Version of the event's shape, from 1. */
  readonly v: number
  /** The game it belongs to; null if it belongs to the installation. Decides the partition. */
  readonly game: string | null
  readonly board?: string
  readonly player?: string
  /** Id of the command that recorded it. */
  readonly command: string
  /** Hash of the call (method, path, body); present only if the caller sent an Idempotency-Key. */
  readonly call?: string
  /** Prefix of the caller's API key; null if the service itself acted. */
  readonly actor: string | null
  /** Id of the request; null if the service itself acted. */
  readonly request: string | null
  /** When it was decided, by the clock of that node (`eventTime`); decreases in a stream where a clock was set back. */
  readonly time: string
}

/** An event about to be appended. */
export interface NewEvent {
  /** A UUID, the same on every attempt to append the event. */
  readonly id: string
  readonly type: string
  readonly data: JsonObject
  readonly meta: EventMeta
}

/** An event as read from the log. */
export interface StoredEvent extends NewEvent {
  readonly stream: string
  /** Index in its stream, from 0. */
  readonly revision: number
  /** Index in the log: opaque, ordered by code unit. */
  readonly position: Position
}

/** The index of an event in the log. Opaque; two positions of one log compare by code unit (`<`). */
export type Position = string

/** The lowest position; null counts as before the first. Null for an empty list. */
export function leastPosition(positions: Iterable<Position | null>): Position | null {
  let least: Position | null = null
  for (const position of positions) {
    if (position === null) return null
    if (least === null || position < least) least = position
  }
  return least
}

/** An event's revision and the time when it was decided (ISO 8601, UTC, milliseconds). */
export interface RecordedAt {
  readonly revision: number
  readonly time: string
}

export function recordedAt({ revision, meta }: Pick<StoredEvent, 'revision' | 'meta'>): RecordedAt {
  return { revision, time: meta.time }
}

/** Casts stored JSON without a check: what was written under an event type or to a collection has its shape. */
export function unsafeCast<Shape>(stored: unknown): Shape {
  return stored as Shape
}

// Names an event by stream and revision. Unlike a position, this stays valid when the streams are copied to another
// log.

export type EventReference = {
  readonly stream: string
  readonly revision: number
}

export function sameReference(a: EventReference | null, b: EventReference | null): boolean {
  return a === b || (a !== null && b !== null && a.stream === b.stream && a.revision === b.revision)
}
