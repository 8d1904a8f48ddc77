// Read models: documents with declared indexes, each with the position of the last event applied to it, and a
// checkpoint per view and partition. A view can be deleted and rebuilt from the log at any time.

import type { JsonObject, Position } from '../../domain/event.ts'

export interface CollectionSpec {
  readonly name: string
  /**
   * Index name -> its fields, in order. A field is a top-level field of the body that holds a string, number or null;
   * null sorts first. Declare the index used for paging first.
   */
  readonly indexes: Readonly<Record<string, readonly IndexField[]>>
  /** What fields hold, of indexes or others. A field that is not named here may hold anything. */
  readonly fields?: Readonly<Record<string, FieldType>>
  /**
   * The name of the index that ranks the documents; in at most one collection of a view. It has two ascending fields:
   * the ranking key, a string, and the sort key, printable ASCII of at most 400 characters. A document without the
   * first is in no ranking; no two of a ranking have one sort key. In every other index at most a few documents agree
   * in all fields; and in one with a `time` between these two fields, at most a few agree in key and time.
   *
   * Queries by the ranking index give `equal` with one string, and no `behind`. Those by an index with a `time` between
   * the two fields, ascending or descending, give `equal` with the key, or with the key and a time, and neither `among`
   * nor `behind`; their times are as `toISOString` writes them. A store may refuse others with a TypeError.
   */
  readonly ranking?: string
}

/**
 * `text`: strings or null. `time`: instants as `toISOString` writes them, from the year 0 on, or null; other strings
 * may sort after them. `term`: few different strings, or null; they sort in any order, which is the same for all
 * queries. `record`: an object whose fields are nearly always the same. A store may refuse numbers in the first three.
 */
export type FieldType = 'text' | 'time' | 'term' | 'record'

/**
 * A field name, ascending; with a `-` prefix descending. An index omits documents whose first field is null or absent.
 */
export type IndexField = string

export interface ViewSpec {
  /** `name@version`: each version has its own collections. */
  readonly key: string
  readonly collections: readonly CollectionSpec[]
}

export interface Document {
  /** Printable ASCII. */
  readonly id: string
  /** Position of the last event applied to this document. */
  readonly pos: Position
  readonly body: JsonObject
}

/** An absolute write: sets the body, or deletes the document if it is null (a marker with the position remains). */
export interface Write {
  readonly collection: string
  readonly id: string
  readonly pos: Position
  readonly body: JsonObject | null
  /** The writer knows of no document with this id. There may be one: another process may have written it. */
  readonly isNew?: true
}

/** The last event that a view has applied in one partition. At start, the event id is compared with the log. */
export interface Checkpoint {
  readonly position: Position
  readonly eventId: string
}

export interface Batch {
  readonly view: string
  readonly writes: readonly Write[]
  /** Partition -> new checkpoint; written with or after the writes, never before. */
  readonly checkpoints: ReadonlyMap<number, Checkpoint>
  /**
   * Documents may already contain events of this batch, written by a process that ended before their checkpoint. They
   * count as changed by it.
   */
  readonly repeats?: true
}

export interface Find {
  readonly view: string
  readonly collection: string
  readonly index: string
  /** Values of the leading fields of the index, exactly. */
  readonly equal: readonly (string | number)[]
  /**
   * Bounds on the next field, in index order: `from` inclusive, `after` exclusive, `until` exclusive. A bound excludes
   * documents where that field is null or absent.
   */
  readonly from?: string | number
  readonly after?: string | number
  readonly until?: string | number
  /** Only documents whose next field is one of these values. Not combined with bounds. */
  readonly among?: readonly (string | number)[]
  /** Only documents after this cursor in the requested order. Not combined with bounds. */
  readonly behind?: IndexCursor
  /**
   * Reverses the order of the index, and of ids among equal fields. The bounds keep their meaning: `from` is still the
   * lower value.
   */
  readonly reverse?: boolean
  readonly skip?: number
  readonly limit: number
}

/** A cursor: the position of a document in an index, now or at an earlier time. */
export interface IndexCursor {
  /** All fields of the index after those in `equal`; none of them may be descending. */
  readonly fields: readonly (string | number | null)[]
  readonly id: string
}

/**
 * Which checkpoint a document must include: `now`, the one that was stored when the call began; `waited`, the newest
 * one that this process has read or written, after it waited for a position that may still be in memory.
 */
export type Freshness = 'now' | 'waited'

export interface Views {
  /**
   * Creates missing collections and indexes of a view. Call it for every view before anything else, and again once new
   * collections are filled: a store may defer their indexes until then, or until a query needs one.
   */
  prepare(view: ViewSpec): Promise<void>
  /** The keys of all views that have collections. */
  list(): Promise<string[]>
  drop(view: string): Promise<void>
  /** With `partitions` at least theirs. */
  checkpoints(view: string, partitions?: readonly number[]): Promise<Map<number, Checkpoint>>
  /**
   * One result per id, in order: the document, or null if it does not exist or was deleted. Bodies are shared: do not
   * mutate them.
   */
  get(view: string, collection: string, ids: readonly string[]): Promise<(Document | null)[]>
  /**
   * As `get`, with documents that include every event up to a checkpoint of their view and partition, and may lack what
   * was written since, so that they need not be read again. Only for collections whose documents have the field `game`,
   * a string or null, which never changes.
   */
  current(view: string, collection: string, ids: readonly string[], freshness: Freshness): Promise<(Document | null)[]>
  /** A consistent snapshot of documents in index order. Documents with equal fields are ordered by id, by code unit. */
  find(find: Find): Promise<Document[]>
  /** The number of documents that `find` matches, up to `limit`; ignores `skip`. */
  count(find: Find): Promise<number>
  /**
   * Documents of a collection by id, after `afterId`, at most `limit`, without deleted ones. For comparisons and
   * rebuilds.
   */
  scan(view: string, collection: string, afterId: string | null, limit: number): Promise<Document[]>
  /**
   * Writes the batches. Silently skips a write or checkpoint whose position is not newer than the stored one (for a
   * deleted document, that of its marker). It throws before anything is written if a write is invalid. Other work runs
   * while a large batch is written, and readers may see a part of it. After a crash writes may lack their checkpoint,
   * but never the reverse; what is not derived from the log is safe only after `durable`.
   */
  commit(batches: readonly Batch[]): Promise<void>
  /**
   * Resolves when no crash, of the process or of the machine, can lose a commit that has resolved before the call.
   * Other commits may be lost as long as the log repeats their events: call it before another store loses what repeats
   * them (docs/two-stores.md).
   */
  durable(): Promise<void>
  close(): Promise<void>
}
