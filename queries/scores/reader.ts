// What every read of a leaderboard's entries asks for, be the board as it stands now or as it stood at an instant.

import type { Position } from '../../domain/event.ts'
import type { Rules } from '../../domain/leaderboard.ts'
import type { Rankings } from '../../stores/contract/rankings.ts'
import type { Find } from '../../stores/contract/views.ts'
import type { QueryDeps } from '../deps.ts'
import type { Entry, Ranked } from './entry.ts'
import type { ScoresPage } from './query.ts'

export interface Reader {
  readonly board: string
  readonly game: string
  readonly rules: Rules
  /** Of its entries. */
  readonly generation: number
  readonly key: string
  /** Of the view and the partition that the board is in. */
  readonly rankings: Pick<Rankings, 'size' | 'before' | 'ranks'>
  readonly deps: QueryDeps
  /** Whether `find` goes through what it skips: false where it is held in order. */
  readonly skipsOneByOne: boolean
  /** The entries at places `offset` …; null where the documents are not what the ranking says. O(log n + limit). */
  at(offset: number, limit: number): Promise<Ranked[] | null>
  /** A page around a player's best entry; null as above. O(log n + limit). */
  around(player: string, limit: number): Promise<ScoresPage | null>
  find(find: Omit<Find, 'view' | 'collection'>): Promise<Entry[]>
  /** The entries of documents that are there and shown, in the order of their ids. */
  get(ids: readonly string[]): Promise<Entry[]>
  /** Entries by their members, in that order; those that are no longer there are left out. */
  entriesOf(members: readonly string[]): Promise<Entry[]>
  /** The id of an entry's document. */
  documentOf(entry: Entry): string
  /** The same, of the entry of a player's that a submission is, or is part of. */
  documentFor(player: string, submission: string): string
  /** How far its entries are whole; null: as far as its history. */
  reached(): Promise<Position | null>
  /** A player's best entry, or null. */
  bestOf(player: string): Promise<Entry | null>
  /** The present names of players, in order. */
  names(players: readonly string[]): Promise<(string | null)[]>
  /**
   * Of a board of an instant (queries/past/reader.ts), whose entries are found without extra data and names: gives rows
   * theirs.
   */
  whole?(rows: readonly Ranked[]): Promise<readonly Ranked[]>
}
