// Rankings: for each key (a board in one generation) the ordered set of members. A member is an ASCII string whose byte
// order is rank order (ranking/member.ts); nothing else decides. They follow from the documents of one view, and are filled
// from them where they begin empty or were lost: until then nothing is answered, rather than something wrong.

import type { Position } from '../../domain/event.ts'
import { StoreAway } from './stores.ts'

/** What a batch of events makes of one entry. Absolute: applied twice it changes nothing more. */
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

/** The rankings are not there: never filled, or lost since. Fill them; until then readers are told to come again. */
export class RankingsLost extends Error {
  constructor() {
    super('The rankings are not there; they are being filled from the documents')
    this.name = 'RankingsLost'
  }
}

/** Whether rankings gave no answer for want of themselves or of their store: who must answer counts in the documents then. */
export const areRankingsOut = (why: unknown): boolean => why instanceof RankingsLost || why instanceof StoreAway

/** Every call but `isFilled` and `fill` rejects with RankingsLost where the rankings are not filled. */
export interface Rankings {
  /** About how many members, coming and going, one call of `put` should have at most: a key's are changed in one step. */
  readonly putMax: number
  /** Whether the rankings filled under this name stand here whole. */
  isFilled(name: string): Promise<boolean>
  /**
   * Replaces all that is here by these rankings, under a name, as of a position that all its documents have reached (null:
   * of an empty log). Rejects, filled with nothing that counts, where a store was emptied meanwhile, or another one fills
   * too: one process at a time runs the views.
   */
  fill(name: string, at: Position | null, rankings: AsyncIterable<FilledRanking>): Promise<void>
  /**
   * Changes of one key are applied in their order and in one step. All of a key that come in one call are passed over
   * one by one where their position is not newer than the last one put into (or filled for) that key.
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

/** `offset` is the place of the first member given: rank − floor(limit/2), shifted, not shortened, near an end. */
export interface Around {
  readonly rank: number
  readonly size: number
  readonly offset: number
  readonly members: readonly string[]
}
