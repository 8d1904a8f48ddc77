// Rankings: for each key (a board in one generation) the ordered set of members. A member is an ASCII string whose byte
// order is rank order (ranking/member.ts); nothing else decides. They follow from the documents of a view in a partition, and
// are filled from them where they begin empty or were lost: until then nothing is answered, rather than something wrong.

import type { Position } from '../../domain/event.ts'
import { StoreAway } from './faults.ts'

/**
 * What a batch of events makes of one entry. Absolute: applied twice, with nothing newer in between, it changes nothing more. With no
 * member at all it is about a hidden entry, and what is older is passed over from then on all the same.
 */
export interface RankingChange {
  readonly key: string
  /**
   * Every member by which the entry may be ranked now: what its document had before the batch, and all that it passed
   * through. So a batch read again after a crash, cut at other places, leaves none of them behind.
   */
  readonly before: readonly string[]
  /** The member it has from now on; null where it is not ranked. */
  readonly after: string | null
  /** Position of the last event that changed it. */
  readonly pos: Position
}

/** One key, to be filled. Its members come in ascending order, without duplicates, in any number of slices. */
export interface FilledRanking {
  readonly key: string
  readonly members: AsyncIterable<readonly string[]>
}

/** The rankings are not there: never filled, or lost since. Fill them; until then readers are asked to retry. */
export class RankingsLost extends Error {
  constructor() {
    super('The rankings are not there; they are being filled from the documents')
    this.name = 'RankingsLost'
  }
}

/** Whether rankings gave no answer for want of themselves or of their store: who must answer counts in the documents then. */
export const areRankingsOut = (why: unknown): boolean => why instanceof RankingsLost || why instanceof StoreAway

/** A fill was overtaken by another one, or its store lost something: it is discarded. */
export class FillBroken extends Error {
  constructor(why: string) {
    super(`The rankings could not be filled: ${why}. They are to be filled again.`)
    this.name = 'FillBroken'
  }
}

/** Rankings of all views and partitions. */
export interface AllRankings {
  /** About how many members, coming and going, one call of `put` should have at most: a key's are changed in one step. */
  readonly putMax: number
  /**
   * Those of one view (its key, `name@version`) in one partition: filled, lost and changed by themselves. The same
   * object each time.
   */
  of(view: string, partition: number): Rankings
  /** Drops all rankings of a view: they become unfilled, and fills in progress are discarded. */
  drop(view: string): Promise<void>
}

/**
 * The rankings of one view in one partition. Every call but `isFilled`, `stands` and `beginFill` rejects with RankingsLost
 * where they are not filled. Several processes may fill them and put into them at one time: of fills the one that began last
 * counts, and what a process puts goes into the fill that it made or found, or nowhere.
 */
export interface Rankings {
  /** Whether those filled under this name stand here whole. What this process puts goes into just these from then on. */
  isFilled(name: string): Promise<boolean>
  /** Whether the rankings that this process last filled or found filled are unchanged: neither lost nor refilled by another. */
  stands(): Promise<boolean>
  /**
   * Voids what is here: from now on no process reads it or puts into it. What this process puts before `finish` is passed
   * over, as the documents will hold it by then; it rejects with RankingsLost where another fill has begun meanwhile.
   */
  beginFill(name: string): Promise<Fill>
  /**
   * Changes of one key are applied in their order and in one step. All of a key that come in one call are passed over
   * one by one where their position is older than the last one put into (or filled for) that key; those of one event may come in
   * several calls. Rejects with RankingsLost also where another process has filled them since this one made or found them filled.
   */
  put(changes: readonly RankingChange[]): Promise<void>
  /** Number of members; 0 for an unknown key. O(1). */
  size(key: string): Promise<number>
  /** How many members come before this one, whether or not it is ranked itself. O(log n). */
  before(key: string, member: string): Promise<number>
  /** Places of members, from 0, in the order asked, each null where it is not ranked; all as of one moment. O(log n) each. */
  ranks(key: string, members: readonly string[]): Promise<(number | null)[]>
  /** Members from a place on, in rank order. O(log n + limit). */
  range(key: string, offset: number, limit: number): Promise<string[]>
  /** In one step: the member's place (null when not ranked), the size, and up to `limit` members centred on it (see `around`). */
  around(key: string, member: string, limit: number): Promise<Around | null>
}

/** A fill that has begun. */
export interface Fill {
  /**
   * Fills with just these, as of a position that all their documents have reached (null: of an empty log). Rejects, with
   * nothing of its own left, where another fill has begun since, which it does not disturb, or the store was emptied.
   */
  finish(at: Position | null, rankings: AsyncIterable<FilledRanking>): Promise<void>
}

/** `offset` is the place of the first member given: rank − floor(limit/2), shifted, not shortened, near an end. */
export interface Around {
  readonly rank: number
  readonly size: number
  readonly offset: number
  readonly members: readonly string[]
}
