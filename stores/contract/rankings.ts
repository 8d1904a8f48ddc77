// Rankings: for each key (a board in one generation) the ordered set of members. A member is an ASCII string whose byte
// order is rank order (ranking/member.ts); nothing else decides.

import type { Position } from '../../domain/event.ts'

/** An entry's place before and after an event; null where it is not ranked. Absolute: applied twice it changes nothing more. */
export interface RankingChange {
  readonly key: string
  /** The entry's id, also the last part of its member. */
  readonly id: string
  readonly before: string | null
  readonly after: string | null
  readonly pos: Position
}

export interface Rankings {
  put(changes: readonly RankingChange[]): Promise<void>
  /**
   * Replaces a key's members whole. They come in ascending order, without duplicates, in any number of slices. Whoever
   * loads a key puts nothing into it meanwhile.
   */
  load(key: string, members: AsyncIterable<readonly string[]>): Promise<void>
  drop(key: string): Promise<void>
  /** Number of members; 0 for an unknown key. O(1). */
  size(key: string): Promise<number>
  /** How many members come before this one, whether or not it is ranked itself. O(log n). */
  before(key: string, member: string): Promise<number>
  /** Place of a member, from 0, or null where it is not ranked. O(log n). */
  rank(key: string, member: string): Promise<number | null>
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
