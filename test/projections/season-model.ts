// A plain model of seasons: which one each submission joined, and the rows of each, from all submissions. A closed
// season keeps the rows and ranks that it had, and leaves out what was deleted or is hidden since.

import type { Model, ModelEntry, Sent } from '../simulation/model/model.ts'
import { compareValues, isCounted, keptOf, type ModelRules, valuesOf } from '../simulation/model/rules.ts'

export interface SeasonRow {
  readonly entry: ModelEntry
  readonly rank: number
  readonly finalRank: number | null
}

interface Closed {
  readonly rules: ModelRules
  /** In rank order, hidden ones too. */
  readonly entries: readonly { readonly entry: ModelEntry; readonly finalRank: number | null }[]
}

export class SeasonModel {
  readonly #model: Model
  readonly #board: string
  /** The end of the open season, as it was recorded when it opened. */
  #openUntil: string | null = null
  /** The number of the newest season that was opened. */
  last = 0
  readonly #joined = new Map<string, number>()
  readonly #order = new Map<string, number>()
  readonly #closed = new Map<number, Closed>()

  constructor(model: Model, board: string) {
    this.#model = model
    this.#board = board
  }

  get isOpen(): boolean {
    return this.#openUntil !== null
  }

  open(ends: string): void {
    this.last++
    this.#openUntil = ends
  }

  close(): void {
    const rules = this.#model.rules(this.#board)
    const ranked = this.#entries(this.last, rules)
    let rank = 0
    const entries = ranked.map((entry) => ({ entry, finalRank: this.#model.isShown(entry.player) ? ++rank : null }))
    this.#closed.set(this.last, { rules, entries })
    this.#openUntil = null
  }

  /** Call it for each submission, after the model has recorded it. Returns the season that it joined. */
  record({ id, time }: Sent): number | null {
    this.#order.set(id, this.#order.size)
    if (this.#openUntil === null) return null
    const season = time >= this.#openUntil ? this.last + 1 : this.last
    this.#joined.set(id, season)
    return season
  }

  rules = (season: number): ModelRules => this.#closed.get(season)?.rules ?? this.#model.rules(this.#board)

  /** The rows that a read of a season returns, best first. */
  rows(season: number): SeasonRow[] {
    const isThere = (entry: ModelEntry) => this.#model.sent.some(({ id }) => id === entry.shown)
    const closed = this.#closed.get(season)
    const all =
      closed?.entries.filter(({ entry }) => isThere(entry)) ??
      this.#entries(season, this.rules(season)).map((entry) => ({ entry, finalRank: null }))
    return all.filter(({ entry }) => this.#model.isShown(entry.player)).map((one, i) => ({ ...one, rank: i + 1 }))
  }

  /** What the standing of a closed season has: its entries and players, and the first ones. */
  standing(season: number) {
    const shown = (this.#closed.get(season)?.entries ?? []).filter(({ finalRank }) => finalRank !== null)
    const first = shown.slice(0, 10).map(({ entry: { player, score } }) => ({ player, score }))
    return { players: new Set(shown.map(({ entry }) => entry.player)).size, entries: shown.length, first }
  }

  /** In rank order, hidden ones too. */
  #entries(season: number, rules: ModelRules): ModelEntry[] {
    const entries = [...this.#model.players.keys()].flatMap((player) => this.#entriesOf(season, rules, player))
    const numberOf = ({ shown }: ModelEntry) => this.#order.get(shown) ?? -1
    return entries.sort((a, b) => compareValues(rules, a, b) || numberOf(a) - numberOf(b))
  }

  #entriesOf(season: number, rules: ModelRules, player: string): ModelEntry[] {
    const mine = this.#model.of(this.#board, player)
    const counted = mine.filter((one) => this.#joined.get(one.id) === season && isCounted(rules, one))
    if (!rules.unique) return counted.map((one) => ({ ...one, added: one.time, updated: one.time, shown: one.id }))
    const [first] = mine
    if (first === undefined || counted.length === 0) return []
    const kept = keptOf(rules, counted)
    const values = valuesOf(rules, counted)
    return [{ ...kept, ...values, id: first.id, added: first.time, updated: kept.time, shown: kept.id }]
  }
}
