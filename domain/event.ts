// The shape of every recorded event: the envelope that the log keeps and the metadata that each
// event carries from the first one on. The events themselves stand with their aggregates.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** Maximum nesting of objects and lists, in request bodies and in an event's data or metadata. */
export const JSON_MAX_DEPTH = 40

/** Whether it is nested deeper than that. What lies deeper is not looked at, so no value exhausts the stack. */
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
  /** The game it belongs to; null for what belongs to the installation. Decides the partition. */
  readonly game: string | null
  readonly board?: string
  readonly player?: string
  /** Id of the command that made it. */
  readonly command: string
  /** Hash of the call (method, path, meaning of the body), only where the caller sent an Idempotency-Key. */
  readonly call?: string
  /** Prefix of the API key that asked, or null where the service itself did. */
  readonly actor: string | null
  /** Id of the request, or null where the service itself acted. */
  readonly request: string | null
  /** When it was decided, by the node that decided it; never runs backwards within a stream. */
  readonly time: string
}

/** An event about to be appended. */
export interface NewEvent {
  /** A UUID, the same for every attempt to append the same event. */
  readonly id: string
  readonly type: string
  readonly data: JsonObject
  readonly meta: EventMeta
}

/** An event as the log gives it back. */
export interface StoredEvent extends NewEvent {
  readonly stream: string
  /** Place in its stream, from 0. */
  readonly revision: number
  /** Place in the log: opaque, ordered by code unit. */
  readonly position: Position
}

/** A place in the log. Opaque; two positions of one log compare by code unit (`<`). */
export type Position = string

/** The least of several, null being before the first; null where there are none. */
export function leastPosition(positions: Iterable<Position | null>): Position | null {
  let least: Position | null = null
  for (const position of positions) {
    if (position === null) return null
    if (least === null || position < least) least = position
  }
  return least
}

/** Where an event stands in its stream, and when it was decided (ISO 8601, UTC, milliseconds). */
export interface Moment {
  readonly revision: number
  readonly time: string
}

export function momentOf({ revision, meta }: Pick<StoredEvent, 'revision' | 'meta'>): Moment {
  return { revision, time: meta.time }
}

/**
 * Stored JSON in the shape it was stored in: what was recorded under a type, or put in a
 * collection, comes back as that.
 */
export function unsafeCast<Shape>(stored: unknown): Shape {
  return stored as Shape
}
