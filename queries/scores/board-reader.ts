// Reads the current entries of a leaderboard, or those of one of its seasons. The ranking gives positions, the entries
// view gives content, and a row is returned only if both agree.

import type { Rules } from '../../domain/board-rules.ts'
import type { Position } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import { entryDocument, rankingKey } from '../../ranking/key.ts'
import type { RankingReads } from '../../stores/contract/rankings.ts'
import type { Find } from '../../stores/contract/views.ts'
import type { QueryDeps } from '../deps.ts'
import type { RankedBoard } from '../leaderboard.ts'
import { presentNames } from '../present-players.ts'
import { viewReached } from '../reached.ts'
import { asEntry, type Entry, isShown, type Ranked } from './entry.ts'
import { cachedPageIds, notePageRead } from './page-ids.ts'
import type { ScoresPage } from './query.ts'
import type { Reader } from './reader.ts'

/** A class, because each call makes one: an object of closures would cost each call a closure per method. */
export class BoardReader implements Reader {
  readonly deps: QueryDeps
  readonly board: string
  readonly game: string
  readonly rules: Rules
  readonly generation: number
  readonly season: number | undefined
  readonly key: string
  readonly rankings: RankingReads
  readonly #view: string

  /** `rankings`: those of the view; others answer the same from elsewhere. */
  constructor(deps: QueryDeps, { id, game, generation, season, state }: RankedBoard, rankings?: RankingReads) {
    this.#view = deps.viewKey('entries')
    this.deps = deps
    this.board = id
    this.game = game
    this.rules = state.rules
    this.generation = generation
    this.season = season
    this.key = rankingKey(id, generation, season)
    this.rankings = rankings ?? deps.rankings.of(this.#view, partitionOf(game))
  }

  /** False once another build of the view is active: reads of documents are of that one. */
  isActiveRanking(): boolean {
    return this.deps.rankings.of(this.#view, partitionOf(this.game)) === this.rankings
  }

  /** Not where the rankings are an index of the documents: the index by time is in memory, too. */
  get skipsOneByOne(): boolean {
    return this.rankings.pages === undefined
  }

  async at(offset: number, limit: number): Promise<Ranked[] | null> {
    return this.#rowsOf(await this.rankings.range(this.key, offset, limit), offset)
  }

  async around(player: string, limit: number): Promise<ScoresPage | null> {
    const { rankings, key } = this
    const best = await this.bestOf(player)
    if (best === null) return { rows: [], count: await rankings.size(key), offset: 0, own: null }
    const around = await rankings.around(key, best.member, limit)
    if (around === null) return null
    const { sortKeys, offset, size, rank } = around
    const rows = await this.#rowsOf(sortKeys, offset)
    return rows && { rows, count: size, offset, own: { entry: best, rank: rank + 1 } }
  }

  async find(query: Omit<Find, 'view' | 'collection'>): Promise<Entry[]> {
    return (await this.deps.views.find({ ...query, view: this.#view, collection: 'entries' })).map(asEntry)
  }

  async get(ids: readonly string[]): Promise<Entry[]> {
    const documents = await this.deps.views.get(this.#view, 'entries', ids)
    return documents
      .filter((document) => document !== null)
      .filter(isShown)
      .map(asEntry)
  }

  entriesOf(sortKeys: readonly string[]): Promise<Entry[]> {
    return this.find({ index: 'rank', equal: [this.key], among: sortKeys, limit: sortKeys.length })
  }

  documentFor(player: string, submission: string): string {
    const { board, generation, season, rules } = this
    return entryDocument({ board, generation, season, unique: rules.unique, player, submission })
  }

  async bestOf(player: string): Promise<Entry | null> {
    const [best = null] = this.rules.unique
      ? await this.get([this.documentFor(player, '')])
      : await this.find({ index: 'player', equal: [player, this.key], limit: 1 })
    return best
  }

  /** Whether the ranking has changes that the documents lack, or may have. */
  async isRankingAhead(): Promise<boolean> {
    if (this.rankings.pages !== undefined) return false
    const applied = await this.rankings.lastApplied(this.key)
    return applied > ((await this.reached()) ?? '')
  }

  reached(): Promise<Position | null> {
    return viewReached(this.deps.views, this.#view, this.game)
  }

  names(players: readonly string[]): Promise<(string | null)[]> {
    return presentNames(this.deps, this.#view, players)
  }

  /**
   * The rows with these sort keys, which are adjacent in the ranking. `offset`: the number of entries before the first.
   * Null if the documents do not match.
   */
  async #rowsOf(sortKeys: readonly string[], offset: number): Promise<Ranked[] | null> {
    const [first] = sortKeys
    if (first === undefined) return []
    const { views } = this.deps
    // An entry of the board and one of a season may have the same sort key.
    const name = `${this.key} ${first}`
    const known = cachedPageIds(views, name, sortKeys.length)
    const cached = known === null ? null : await this.get(known)
    if (cached !== null && this.#areSame(cached, sortKeys)) return ranked(cached, offset)
    const entries = await this.find({ index: 'rank', equal: [this.key], from: first, limit: sortKeys.length })
    if (!this.#areSame(entries, sortKeys)) return null
    notePageRead(views, name, () => entries.map(({ player, id }) => this.documentFor(player, id)))
    return ranked(entries, offset)
  }

  #areSame(entries: readonly Entry[], sortKeys: readonly string[]): boolean {
    const isSame = (entry: Entry, i: number) => entry.member === sortKeys[i] && entry.ranking === this.key
    return entries.length === sortKeys.length && entries.every(isSame)
  }
}

function ranked(entries: readonly Entry[], offset: number): Ranked[] {
  return entries.map((entry, i) => ({ entry, rank: offset + i + 1 }))
}
