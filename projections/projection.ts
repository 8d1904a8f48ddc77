// The contract of a projection: a name, a version, the event types it handles, the documents each event needs, and a
// pure handler. The projector owns order, batching, checkpoints and retries.

import type { Rules } from '../domain/board-rules.ts'
import type { EventReference, JsonObject, StoredEvent } from '../domain/event.ts'
import type { CollectionSpec, Document, Find, IndexCursor, ViewSpec } from '../stores/contract/views.ts'
import type { EntryState } from './entry-state.ts'

/** A document of the view: its collection and id. */
export type DocRef = readonly [collection: string, id: string]

/** The view's documents in their state before the event. */
export interface Docs {
  /**
   * Returns null if there is none. Never mutate the returned body: put a new one. Throws for a document that `needs`
   * did not name.
   */
  get(collection: string, id: string): JsonObject | null
  /**
   * Whether the document already has a later event than this one, which then is applied again, after a write that
   * failed part way. Throws like `get`.
   */
  isAfter(collection: string, id: string, event: StoredEvent): boolean
  put(collection: string, id: string, body: JsonObject): void
  remove(collection: string, id: string): void
}

/** Returns a document if it is loaded, else null. */
export type Peek = (collection: string, id: string) => JsonObject | null

export interface Projection {
  readonly name: string
  /** Raise it whenever the handlers or the documents change: the view is then rebuilt from the log. */
  readonly version: number
  /** The build of that version (builds/state.ts); 0 if left out. */
  readonly build?: number
  readonly collections: readonly CollectionSpec[]
  /** Types of the events that the handler receives. */
  readonly takes: readonly string[] | 'every event'
  /** The documents that the handler will read. Called again once they are loaded, until it names nothing new. */
  needs(event: StoredEvent, peek: Peek, stream: readonly StoredEvent[]): readonly DocRef[]
  /**
   * The document that only this event can have created, if `needs` names it. It is not read, unless events may be
   * applied again.
   */
  creates?(event: StoredEvent): DocRef | null
  /**
   * Queries for the documents that `updateEach` changes, by indexes without a descending field. Costly: everything
   * before the event is written first.
   */
  query?(event: StoredEvent): readonly DocumentQuery[]
  /**
   * Documents that an event created besides those that `needs` names with nothing loaded. Used to remove a deleted
   * game's documents.
   */
  removalQuery?(event: StoredEvent): readonly DocumentQuery[]
  /** `stream` is the event's stream up to and including it if `replays.needsStream` requires it, else empty. */
  handle(event: StoredEvent, docs: Docs, stream: readonly StoredEvent[]): void
  /**
   * Updates one document found by `query`, by its id, after `handle`. The result may depend only on the document and
   * the event. The document may move in that index, but only to where the read has already been. Large sets are written
   * in parts, any of which may be applied again (decision 0034).
   */
  updateEach?(event: StoredEvent, docs: Docs, id: string): void
  readonly ranked?: Ranked
  readonly replays?: Replays
}

/** A query by index, for the few events that change many documents. */
export type DocumentQuery = Pick<Find, 'collection' | 'index' | 'equal' | 'reverse'>

/** The index cursor of a document in the index that it was found by. */
export function indexCursorOf(
  { collections }: Projection,
  { collection, index, equal }: DocumentQuery,
  found: Document,
): IndexCursor {
  const fields = collections.find(({ name }) => name === collection)?.indexes[index]?.slice(equal.length) ?? []
  return { fields: fields.map((field) => (found.body[field] ?? null) as string | number | null), id: found.id }
}

/**
 * A range of a board's history: after one event (null: from the beginning), up to and including another (null: up to
 * but excluding the event that names the range).
 */
export interface HistoryRange {
  readonly board: string
  readonly after: EventReference | null
  readonly upTo: EventReference | null
}

/**
 * How a view replays past events. Changes made by a replay carry the position of the event that triggered it, so names
 * and bans are taken as of that event.
 */
export interface Replays {
  /** Event types that trigger a replay. All views write earlier changes first. */
  readonly triggers: ReadonlySet<string>
  /** Types of the past events that are replayed. */
  readonly takes: ReadonlySet<string>
  /** The range that an event replays before its own handler is called; null for none. */
  range(event: StoredEvent): HistoryRange | null
  /** Like a projection's `needs` and `handle`, for one past event. */
  needs(past: StoredEvent, event: StoredEvent, peek: Peek, stream: readonly StoredEvent[]): readonly DocRef[]
  handle(past: StoredEvent, event: StoredEvent, docs: Docs, stream: readonly StoredEvent[]): void
  /** Called instead if a past event could not be handled: none of its changes count. `past` names the event. */
  failed(past: string, event: StoredEvent, docs: Docs, reason: string): void
  /** If an event names the end of a fold, the range is handled as states of entries instead of single events. */
  readonly folding?: Folding
  /** Types of events that may need the history of their stream. */
  readonly needsStreamFor: ReadonlySet<string>
  /**
   * Whether this event needs it, once its known needs are loaded; `event` triggers the replay, and is null for a new
   * event.
   */
  needsStream(past: StoredEvent, event: StoredEvent | null, peek: Peek): boolean
}

/** One generation of a board's entries. */
export interface BoardGeneration {
  readonly board: string
  readonly generation: number
  readonly rules: Rules
}

export interface Folding {
  /** The event at which the fold ends; null if the range is replayed event by event. */
  foldEnd(event: StoredEvent): EventReference | null
  /** The generation that is built, from the documents that `needs` names; null if it no longer exists. */
  needs(event: StoredEvent): readonly DocRef[]
  generation(event: StoredEvent, docs: Docs): BoardGeneration | null
  /** The documents that are read to write an entry, and the document of the entry, which does not exist yet. */
  reads(state: EntryState): readonly DocRef[]
  creates(state: EntryState, of: BoardGeneration): DocRef
  handle(state: EntryState, of: BoardGeneration, docs: Docs): void
}

/** How the documents of a view are ranked. */
export interface Ranked {
  readonly collection: string
  /** The index by ranking key and sort key. */
  readonly index: string
  /** Fields with the ranking key and the sort key; a document without a sort key is not ranked. */
  readonly key: string
  readonly sortKey: string
  /**
   * The field in which a hidden document keeps its key and sort key; the fields `key` and `member` are null meanwhile.
   */
  readonly hiddenField?: string
  /**
   * The collection with one document per ranking, which names it in the same field, and that collection's index by
   * partition and key.
   */
  readonly keys: string
  readonly byPartition: string
}

/** `name@version`; with `+build` if the build is not 0. */
export const viewKey = ({ name, version, build = 0 }: Pick<Projection, 'name' | 'version' | 'build'>): string =>
  `${name}@${version}${build === 0 ? '' : `+${build}`}`

/** A collection that every view has: its parked streams, each with the reason. */
export const PARKED = 'parked'

export function viewSpec(projection: Projection): ViewSpec {
  const collections = [...projection.collections, { name: PARKED, indexes: {} }]
  return { key: viewKey(projection), collections }
}
