// The interface through which reads access a leaderboard's entries: the current ones, or those as of an instant.

import type { Rules } from '../../domain/board-rules.ts'
import type { Position } from '../../domain/event.ts'
import type { Rankings } from '../../stores/contract/rankings.ts'
import type { Find } from '../../stores/contract/views.ts'
import type { QueryDeps } from '../deps.ts'
import type { Entry, Ranked } from './entry.ts'
import type { ScoresPage } from './query.ts'

export interface Reader {
  readonly board: string
  readonly game: string
  readonly rules: Rules
  /** The generation of its entries. */
  readonly generation: number
  readonly key: string
  /** The rankings of the board's view and partition; with `pages` only if they are an index of the documents. */
  readonly rankings: Pick<Rankings, 'size' | 'before' | 'ranks' | 'pages'>
  readonly deps: QueryDeps
  /** Whether `find` may walk through skipped entries, as most stores do: false if they are in an ordered array. */
  readonly skipsOneByOne: boolean
  /** The entries from rank `offset` on; null if the documents do not match the ranking. O(log n + limit). */
  at(offset: number, limit: number): Promise<Ranked[] | null>
  /** A page around a player's best entry; null as above. O(log n + limit). */
  around(player: string, limit: number): Promise<ScoresPage | null>
  find(find: Omit<Find, 'view' | 'collection'>): Promise<Entry[]>
  /** The entries of those documents that exist and are shown, in the order of `ids`. */
  get(ids: readonly string[]): Promise<Entry[]>
  /** The entries with these sort keys, in that order, without those that no longer exist. */
  entriesOf(sortKeys: readonly string[]): Promise<Entry[]>
  /** The id of the document of the player's entry that a submission is, or is part of. */
  documentFor(player: string, submission: string): string
  /** The position up to which its entries are complete; null: as far as its history. */
  reached(): Promise<Position | null>
  /** A player's best entry, or null. */
  bestOf(player: string): Promise<Entry | null>
  /** The current names of players, in order. */
  names(players: readonly string[]): Promise<(string | null)[]>
  /**
   * Only for past boards (queries/past/reader.ts), whose entries are found without details and names: adds these to
   * rows.
   */
  whole?(rows: readonly Ranked[]): Promise<readonly Ranked[]>
}
