// Read models: documents with declared indexes, each with the position of the last event it took, and the checkpoint of
// each view and partition beside them. A view can be deleted and rebuilt from the log at any time.

import type { JsonObject, Position } from '../../domain/event.ts'

export interface CollectionSpec {
  readonly name: string
  /**
   * Name of an index -> its fields, in order. A field is a top-level field of the body holding a string, number or null;
   * null comes before everything. Documents that are neighbours in the first index may be kept side by side: declare the
   * one that pages are read by first.
   */
  readonly indexes: Readonly<Record<string, readonly IndexField[]>>
}

/** A field, ascending; or with `-` before it, descending. A document whose first field is null or absent is not in the index. */
export type IndexField = string

export interface ViewSpec {
  /** `name@version`: another version is another set of collections. */
  readonly key: string
  readonly collections: readonly CollectionSpec[]
}

export interface Document {
  /** Printable ASCII. */
  readonly id: string
  /** Position of the last event this document took. */
  readonly pos: Position
  readonly body: JsonObject
}

/** An absolute write: the document becomes this body, or with null is deleted (a marker with the position stays). */
export interface Write {
  readonly collection: string
  readonly id: string
  readonly pos: Position
  readonly body: JsonObject | null
  /** Where it was looked for there was no document: a store may try to make it before it looks. A hint, nothing more. */
  readonly isNew?: true
}

/** Where a view stands in one partition: the last event applied. The id is the anchor checked at start. */
export interface Checkpoint {
  readonly position: Position
  readonly eventId: string
}

export interface Batch {
  readonly view: string
  readonly writes: readonly Write[]
  /** Partition -> its new checkpoint; written with or after the writes, never before. */
  readonly checkpoints: ReadonlyMap<number, Checkpoint>
  /**
   * One of many parts that follow each other at once, of which few documents are read soon. It is seen as any other; but a store
   * may write several together, and lose those in a crash, with all that was committed after them.
   */
  readonly ofMany?: true
}

export interface Find {
  readonly view: string
  readonly collection: string
  readonly index: string
  /** Values of the leading fields of the index, exactly. */
  readonly equal: readonly (string | number)[]
  /**
   * Bounds on the field after those, as the index orders it: `from` inclusive, `after` exclusive, `until` exclusive. A
   * bound leaves out documents where that field is null or absent.
   */
  readonly from?: string | number
  readonly after?: string | number
  readonly until?: string | number
  /** Only those whose field after `equal` is one of these. With no bounds beside it. */
  readonly among?: readonly (string | number)[]
  /** Only those that come after this place in the order that is asked for. With no bounds beside it. */
  readonly behind?: IndexPlace
  /**
   * Against the index's order, and that of ids among equals. The bounds keep their meaning as to values: `from` is
   * still the lower one.
   */
  readonly reverse?: boolean
  readonly skip?: number
  readonly limit: number
}

/** Where a document stands in an index, or once stood. */
export interface IndexPlace {
  /** Its fields after those that are to be equal, to the last of the index; none of them descends. */
  readonly fields: readonly (string | number | null)[]
  readonly id: string
}

export interface Views {
  /**
   * Makes what is missing of a view's collections and indexes. Run for every view before anything else, and again once new
   * collections are filled: a store may put off their indexes until then (or until a find needs one).
   */
  prepare(view: ViewSpec): Promise<void>
  /** Every view key that has collections here. */
  list(): Promise<string[]>
  drop(view: string): Promise<void>
  checkpoints(view: string): Promise<Map<number, Checkpoint>>
  /**
   * One result per id, in order: the document, or null where there is none or it was deleted. Bodies are shared: never
   * change them.
   */
  get(view: string, collection: string, ids: readonly string[]): Promise<(Document | null)[]>
  /**
   * Documents by index as of one moment, in the index's order; documents equal in all its fields come by id, as text by
   * code unit.
   */
  find(find: Find): Promise<Document[]>
  /** As `find`, only how many (skip does not apply; limit does). */
  count(find: Find): Promise<number>
  /**
   * Every document of a collection, by id, for comparing and rebuilding; from after `afterId`, at most `limit`. Deleted
   * ones are left out.
   */
  scan(view: string, collection: string, afterId: string | null, limit: number): Promise<Document[]>
  /**
   * Writes the batches. A write whose position is not newer than the document's (or its deletion marker's) is passed over
   * silently, and so is a checkpoint. A crash at any point leaves writes without their checkpoint at worst, never the reverse.
   */
  commit(batches: readonly Batch[]): Promise<void>
  /**
   * Resolves when a commit would begin at once. Left out where it always would. What is written elsewhere before a commit, and read
   * beside its documents, is written after this.
   */
  ready?(): Promise<void>
  close(): Promise<void>
}
