// Rankings: for each key (a board in one generation) an ordered set of sort keys. A sort key is an ASCII string whose
// byte order is the rank order (ranking/sort-key.ts). Rankings derive from the documents of a view in one partition and
// are filled from them when they are new or lost. Until then every read fails, instead of returning a wrong answer.

import type { Json, Position } from '../../domain/event.ts'
import { StoreUnavailable } from './faults.ts'

/**
 * The result of a batch of events for one entry. It names the result, not a difference, so it may be applied twice if
 * nothing newer came in between. A change without any sort key concerns a hidden entry; it still makes later calls skip
 * older changes.
 */
export interface RankingChange {
  readonly key: string
  /**
   * Every sort key under which the entry may be ranked now: the one its document had before the batch, and each one in
   * between. So a batch that is replayed after a crash with other boundaries leaves no stale sort key.
   */
  readonly before: readonly string[]
  /** The new sort key; null if the entry is not ranked. */
  readonly after: string | null
  /** Position of the last event that changed it. */
  readonly pos: Position
}

/** One key to fill. Its sort keys come in ascending order, without duplicates, in chunks of any size. */
export interface FilledRanking {
  readonly key: string
  readonly sortKeys: AsyncIterable<readonly string[]>
}

/** The rankings were never filled, or are lost. The projector fills them; readers must retry until then. */
export class RankingsLost extends Error {
  constructor() {
    super('The rankings are not available yet; they are being filled from the documents')
    this.name = 'RankingsLost'
  }
}

/**
 * Whether a ranking read failed because the rankings or their store are unavailable: the caller can count documents
 * instead.
 */
export const areRankingsOut = (error: unknown): boolean =>
  error instanceof RankingsLost || error instanceof StoreUnavailable

/** The fill has no effect: another one began since, or the store lost data. */
export class FillBroken extends Error {
  constructor(reason: string) {
    super(`The rankings could not be filled: ${reason}. Fill them again.`)
    this.name = 'FillBroken'
  }
}

/**
 * Rankings of all views and partitions. Those that are an index of the documents (decision 0071) follow them by
 * themselves: `beginFill`, `put` and `drop` do nothing, `finish` makes the index if it is not made yet, and all
 * partitions of a view have one object.
 */
export interface AllRankings {
  /**
   * Recommended maximum of sort keys, added and removed, per call of `put`: all changes of a key are applied
   * atomically.
   */
  readonly putMax: number
  /**
   * The rankings of one view (its key, `name@version`) in one partition; filled and lost independently of others.
   * Returns the same object each time.
   */
  of(view: string, partition: number): Rankings
  /**
   * Drops the rankings of a view, even while they are in use: they count as never filled, and running fills have no
   * effect.
   */
  drop(view: string): Promise<void>
}

/**
 * The rankings of one view in one partition. Every call except `isFilled`, `isCurrent` and `beginFill` rejects with
 * RankingsLost if they are not filled. Several processes may fill and change them at the same time: the fill that began
 * last wins, and changes of a process apply only to the fill that it made or found.
 */
export interface Rankings {
  /**
   * Whether the rankings are complete under this name. If so, later puts of this process apply to exactly this fill.
   */
  isFilled(name: string): Promise<boolean>
  /**
   * Whether the fill that this process last made or found is still valid: neither lost nor replaced by another process.
   */
  isCurrent(): Promise<boolean>
  /**
   * Invalidates the current rankings: no process can read or change them from now on. Puts of this process before
   * `finish` are ignored, because the documents will contain them by then; they reject with RankingsLost if another
   * fill began meanwhile.
   */
  beginFill(name: string): Promise<Fill>
  /**
   * Applies the changes of each key in order and atomically. Skips every change whose position is older than the last
   * one applied to (or filled for) its key; the changes of one event may come in several calls. Also rejects with
   * RankingsLost if another process has filled the rankings since this one made or found its fill.
   */
  put(changes: readonly RankingChange[]): Promise<void>
  /** Number of sort keys; 0 for an unknown key. O(1). */
  size(key: string): Promise<number>
  /** How many sort keys sort before this one, which need not be ranked. O(log n). */
  before(key: string, sortKey: string): Promise<number>
  /** 0-based ranks of the sort keys, in the given order; null if not ranked. One consistent snapshot. O(log n) each. */
  ranks(key: string, sortKeys: readonly string[]): Promise<(number | null)[]>
  /** Sort keys from a rank on, in rank order. O(log n + limit). */
  range(key: string, offset: number, limit: number): Promise<string[]>
  /**
   * One consistent snapshot: the sort key's rank, the size, and up to `limit` sort keys centred on it. Null if it is
   * not ranked.
   */
  around(key: string, sortKey: string, limit: number): Promise<Around | null>
  /**
   * The position of the last change applied to a key, or that it was filled at. The documents may lack this change.
   * Empty for an unknown key, and for rankings that are an index of the documents.
   */
  lastApplied(key: string): Promise<Position>
  /** Only of rankings that are an index of the documents: pages of the documents themselves. */
  readonly pages?: RankedPages
}

export type RankingReads = Omit<Rankings, 'isFilled' | 'isCurrent' | 'beginFill' | 'put'>

/**
 * Reads of documents by rank. `at` and `around` throw RankingsLost if the rankings are not filled. O(log n + limit).
 */
export interface RankedPages {
  /**
   * Names the state of a ranking in this process: no other state of any ranking has the same. Other reads of the view
   * show the same state as long as it stays. Null for a ranking without sort keys, and if they are not filled. O(1).
   */
  version(key: string): number | null
  /** The documents from a rank on, in rank order. */
  at(key: string, offset: number, limit: number): RankedPage
  /** As `Rankings.around`. */
  around(key: string, sortKey: string, limit: number): { readonly rank: number; readonly page: RankedPage } | null
}

/** Documents that are adjacent in rank, as of the moment of the call. */
export interface RankedPage {
  /** The rank of the first one. */
  readonly offset: number
  /** Number of sort keys of the ranking. */
  readonly size: number
  readonly stamp: PageStamp
  /**
   * Fields of the documents in `rows`, a part of `stamp.rows`, in their order. `fields`: a constant array, because what
   * it needs is prepared once for each array; a TypeError for a field declared as `record`. O(rows × fields). Throws if
   * the stamp has changed since the page was found, so call it before the next `await`.
   */
  values(fields: readonly string[], rows: readonly number[]): DocumentValues[]
}

/** Of one document, in the order of the fields; null for a field that it does not have. */
export type DocumentValues = readonly Json[]

/** A row has the same document wherever it has the same index and the same changes in this process. */
export interface PageStamp {
  /** The index that they were found in. */
  readonly index: symbol
  /** Their numbers in the index, in order. */
  readonly rows: readonly number[]
  /** Of each row: grows with each change of it, and with some changes of others. */
  readonly changes: readonly number[]
}

/** A fill that has begun. */
export interface Fill {
  /**
   * Fills the rankings with exactly these, as of a position that all their documents have reached (null: empty log). If
   * another fill has begun since, or the store was emptied, it rejects, removes its own data and leaves the other fill
   * alone.
   */
  finish(at: Position | null, rankings: AsyncIterable<FilledRanking>): Promise<void>
}

/**
 * `offset` is the rank of the first sort key: rank − floor(limit/2), shifted near an end so that the range keeps its
 * length.
 */
export interface Around {
  readonly rank: number
  readonly size: number
  readonly offset: number
  readonly sortKeys: readonly string[]
}
