// What a view is: a name, a version, the events it takes, the documents each of them needs, and a pure handler. The runner
// owns order, batching, checkpoints and retries.

import type { Rules } from '../domain/board-rules.ts'
import type { JsonObject, StoredEvent } from '../domain/event.ts'
import type { EventPlace } from '../domain/event-place.ts'
import type { CollectionSpec, Document, Find, IndexPlace, ViewSpec } from '../stores/contract/views.ts'
import type { Standing } from './standing.ts'

/** A document of the view's own, by collection and id. */
export type DocRef = readonly [collection: string, id: string]

/** The view's own documents, as they stand before the event. */
export interface Docs {
  /** Null where there is none. Never change what it gives: put a new body. Throws for what `needs` did not name. */
  get(collection: string, id: string): JsonObject | null
  put(collection: string, id: string, body: JsonObject): void
  remove(collection: string, id: string): void
}

/** A document if it is loaded already, else null. */
export type Peek = (collection: string, id: string) => JsonObject | null

export interface Projection {
  readonly name: string
  /** Raised whenever the handlers or the documents change: the view is then rebuilt from the log. */
  readonly version: number
  /** Which build of that version (builds/state.ts); left out or 0: the first. */
  readonly build?: number
  readonly collections: readonly CollectionSpec[]
  /** Types of events; of these alone its handler hears. */
  readonly takes: readonly string[] | 'every event'
  /** Documents the handler will read. Asked again with what it named loaded, until it names nothing new. */
  needs(event: StoredEvent, peek: Peek, stream: readonly StoredEvent[]): readonly DocRef[]
  /** Documents for `updateEach`, by indexes without a descending field. Costly: what came before is written first. */
  query?(event: StoredEvent): readonly DocumentQuery[]
  /** Documents that an event of a deleted game made beside those that `needs` names of it with nothing loaded. */
  removalQuery?(event: StoredEvent): readonly DocumentQuery[]
  /** `stream` is the event's own up to and with it, where `replays` recalls that. */
  handle(event: StoredEvent, docs: Docs, stream: readonly StoredEvent[]): void
  /**
   * Then each document that `finds` found, by its id: what becomes of it is said by it and the event alone, and it moves nowhere
   * in that index but to where was read before. Many are written in parts, any of which may come again (decision 0034).
   */
  updateEach?(event: StoredEvent, docs: Docs, id: string): void
  readonly ranked?: Ranked
  readonly replays?: Replays
}

/** Documents of the view's own that are found by an index, for the few events that touch many. */
export type DocumentQuery = Pick<Find, 'collection' | 'index' | 'equal' | 'reverse'>

/** Where a document stands in the index that it was found by. */
export function indexCursorOf(
  { collections }: Projection,
  { collection, index, equal }: DocumentQuery,
  found: Document,
): IndexPlace {
  const fields = collections.find(({ name }) => name === collection)?.indexes[index]?.slice(equal.length) ?? []
  return { fields: fields.map((field) => (found.body[field] ?? null) as string | number | null), id: found.id }
}

/**
 * A part of a board's history: after one place (null: from its beginning), up to and with another (null: before the
 * event that names it).
 */
export interface HistoryRange {
  readonly board: string
  readonly after: EventPlace | null
  readonly upTo: EventPlace | null
}

/**
 * How past events are replayed. The changes carry the position of the event that triggers the replay; so whatever names and
 * bans say by then is in it.
 */
export interface Replays {
  /** Types of the events that ask for it. What came before is written first, in every view. */
  readonly triggers: ReadonlySet<string>
  /** Types of the past events it hears of. */
  readonly takes: ReadonlySet<string>
  /** The part of history that an event has replayed, before its own handler is called; null for none. */
  range(event: StoredEvent): HistoryRange | null
  /** As a projection's `needs` and `handle`, for one past event. */
  needs(past: StoredEvent, event: StoredEvent, peek: Peek, stream: readonly StoredEvent[]): readonly DocRef[]
  handle(past: StoredEvent, event: StoredEvent, docs: Docs, stream: readonly StoredEvent[]): void
  /** Told instead where a past event could not be handled: nothing of it counts. `past` names it. */
  failed(past: string, event: StoredEvent, docs: Docs, why: string): void
  /** Where an event says as of which place its part is folded, the players' standings are handled in place of past events. */
  readonly folding?: Folding
  /** Types of events that may be handled with their stream as it then was. */
  readonly needsStreamFor: ReadonlySet<string>
  /** Whether this one is, with all it was known to need loaded; `event` is what replays it, null where it is new. */
  needsStream(past: StoredEvent, event: StoredEvent | null, peek: Peek): boolean
}

/** One generation of one board's entries. */
export interface BoardGeneration {
  readonly board: string
  readonly generation: number
  readonly rules: Rules
}

export interface Folding {
  /** Null: the event's part is handled event by event. */
  asOf(event: StoredEvent): EventPlace | null
  /** Which generation is built, by documents that `needs` names; null where there is none to build any more. */
  needs(event: StoredEvent): readonly DocRef[]
  generation(event: StoredEvent, docs: Docs): BoardGeneration | null
  /** Documents that it reads, and the one that it makes, which is not there yet. */
  reads(standing: Standing): readonly DocRef[]
  makes(standing: Standing, of: BoardGeneration): DocRef
  handle(standing: Standing, of: BoardGeneration, docs: Docs): void
}

/** Which documents are ranked, and where. */
export interface Ranked {
  readonly collection: string
  /** Index by ranking key and member. */
  readonly index: string
  /** Fields that name the ranking and hold the member; a document without a member is not ranked. */
  readonly key: string
  readonly member: string
  /** Field that keeps both of a document that is hidden, and has none of them meanwhile. */
  readonly aside?: string
  /** Collection with a document per ranking, which names it in the same field, and its index by partition and that. */
  readonly keys: string
  readonly byPartition: string
}

/** `name@version`, or `name@version+build` for another build than the first. */
export const viewKey = ({ name, version, build = 0 }: Pick<Projection, 'name' | 'version' | 'build'>): string =>
  `${name}@${version}${build === 0 ? '' : `+${build}`}`

/** Every view has this one too: the streams whose events it could not apply, with the reason. */
export const PARKED = 'parked'

export function viewSpec(projection: Projection): ViewSpec {
  const collections = [...projection.collections, { name: PARKED, indexes: {} }]
  return { key: viewKey(projection), collections }
}
