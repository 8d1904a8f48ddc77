// A plain model of the seasons of a leaderboard: which one each submission joined, and the rows of each, from all
// submissions. A closed season keeps the rows and ranks that it had, and leaves out what is deleted or hidden since.

import type { Model, ModelEntry, Sent } from './model.ts'
import { beats, compareValues, isCounted, keptOf, type ModelRules, valuesOf } from './rules.ts'

export interface SeasonRow {
  readonly entry: ModelEntry
  readonly rank: number
  readonly finalRank: number | null
}

/** A half-open interval. ISO 8601, UTC, milliseconds. */
export interface Interval {
  readonly starts: string
  readonly ends: string
}

/** The season that a submission joined, and whether the player's entry of it ranks better than before. */
export interface Joined {
  readonly season: number
  readonly improved: boolean
}

interface Closed {
  readonly rules: ModelRules
  /** In rank order, hidden ones too. An entry goes with any of the submissions that it is `of`. */
  readonly entries: readonly {
    readonly entry: ModelEntry
    readonly finalRank: number | null
    readonly of: readonly string[]
  }[]
}

export interface ModelSchedule {
  readonly cron: string
  readonly timeZone: string
}

export class SeasonModel {
  readonly #model: Model
  readonly #board: string
  #schedule: ModelSchedule | null = null
  /** Where the next season begins; null: at the change that opens it. */
  next: string | null = null
  /** Of every season, with the end that it had; season n is at index n − 1. */
  readonly intervals: Interval[] = []
  /** The seasons whose standing is recorded. */
  readonly recorded = new Set<number>()
  readonly #joined = new Map<string, number>()
  readonly #closed = new Map<number, Closed>()

  constructor(model: Model, board: string) {
    this.#model = model
    this.#board = board
  }

  /** The open season, as it was recorded when it opened. */
  get opened(): Interval | null {
    return this.isClosed(this.last) ? null : (this.intervals.at(-1) ?? null)
  }

  get isOpen(): boolean {
    return this.opened !== null
  }

  /** The number of the newest season that was opened; 0: none was. */
  get last(): number {
    return this.intervals.length
  }

  get schedule(): ModelSchedule | null {
    return this.#schedule
  }

  /** A new schedule is set before the open season is closed. */
  set schedule(schedule: ModelSchedule | null) {
    this.#schedule = schedule
    if (schedule === null) this.next = null
  }

  /** Whether submissions joined a season, deleted ones too. */
  hasJoined = (season: number): boolean => [...this.#joined.values()].includes(season)

  /**
   * Whether the open season began after a time without seasons, and has submissions from before that time: it ends
   * where it begins, so that it gets no others.
   */
  endsAtOnce = false

  open({ starts, ends }: Interval): void {
    this.endsAtOnce = this.next === null && this.hasJoined(this.last + 1)
    this.intervals.push({ starts, ends })
  }

  /** `ends`: only if it ended before its time. */
  close(ends?: string): void {
    const present = this.intervals.pop()
    if (present === undefined) throw new Error('no season was opened')
    const ended = ends ?? present.ends
    // Where no season follows, a later schedule opens one at its own change.
    this.next = this.#schedule === null ? null : ended
    this.intervals.push({ starts: present.starts, ends: ended })
    const rules = this.#model.rules(this.#board)
    const ranked = this.#entries(this.last, rules)
    let rank = 0
    const entries = ranked.map((entry) => {
      return { entry, finalRank: this.#model.isShown(entry.player) ? ++rank : null, of: this.#partsOf(entry, rules) }
    })
    this.#closed.set(this.last, { rules, entries })
  }

  /** The submissions that an entry of the open season has its id from and shows: of a total, all that it adds up. */
  #partsOf({ id, shown, player }: ModelEntry, rules: ModelRules): string[] {
    const counted = rules.keep === 'total' ? this.#countedOf(this.last, rules, player) : []
    return [id, shown, ...counted.map((one) => one.id)]
  }

  isClosed = (season: number): boolean => this.#closed.has(season)

  /** `record` records the submission in the model. Returns what it is answered; null: no season is open. */
  join({ id, player, time }: Sent, record: () => void): Joined | null {
    const season = this.#seasonAt(time)
    const before = season === null ? null : this.#bestOf(season, player)
    record()
    if (season === null) return null
    this.#joined.set(id, season)
    const after = this.#bestOf(season, player)
    return { season, improved: after !== null && (before === null || beats(this.#rules(season), after, before)) }
  }

  #seasonAt(time: string): number | null {
    const { opened } = this
    if (opened === null) return null
    return time >= opened.ends ? this.last + 1 : this.last
  }

  #rules(season: number): ModelRules {
    return this.#closed.get(season)?.rules ?? this.#model.rules(this.#board)
  }

  /** The rows that a read of a season returns, best first. */
  rows(season: number): SeasonRow[] {
    const isThere = ({ player }: ModelEntry, of: readonly string[]) => {
      const left = new Set(this.#model.of(this.#board, player).map(({ id }) => id))
      return of.every((id) => left.has(id))
    }
    const closed = this.#closed.get(season)
    const all =
      closed?.entries.filter(({ entry, of }) => isThere(entry, of)) ??
      this.#entries(season, this.#rules(season)).map((entry) => ({ entry, finalRank: null }))
    return all.filter(({ entry }) => this.#model.isShown(entry.player)).map((one, i) => ({ ...one, rank: i + 1 }))
  }

  /** The rank of the player's first row in a season; null: none is shown. */
  rankOf(season: number, player: string): number | null {
    return this.rows(season).find(({ entry }) => entry.player === player)?.rank ?? null
  }

  /** What the standing of a closed season has: its entries and players, and the first ones. */
  standing(season: number) {
    const shown = (this.#closed.get(season)?.entries ?? []).filter(({ finalRank }) => finalRank !== null)
    const first = shown.slice(0, 10).map(({ entry: { player, score } }) => ({ player, score }))
    return { players: new Set(shown.map(({ entry }) => entry.player)).size, entries: shown.length, first }
  }

  /** The first entry of a player in a season that is not closed, shown or hidden; null: none. */
  #bestOf(season: number, player: string): ModelEntry | null {
    const rules = this.#rules(season)
    return this.#ranked(rules, this.#entriesOf(season, rules, player))[0] ?? null
  }

  /** In rank order, hidden ones too. */
  #entries(season: number, rules: ModelRules): ModelEntry[] {
    const entries = [...this.#model.players.keys()].flatMap((player) => this.#entriesOf(season, rules, player))
    return this.#ranked(rules, entries)
  }

  #ranked(rules: ModelRules, entries: readonly ModelEntry[]): ModelEntry[] {
    const numberOf = ({ shown }: ModelEntry) => this.#model.numberOf(shown)
    return entries.toSorted((a, b) => compareValues(rules, a, b) || numberOf(a) - numberOf(b))
  }

  /** The submissions of a player that count in a season. */
  #countedOf(season: number, rules: ModelRules, player: string): Sent[] {
    const mine = this.#model.of(this.#board, player)
    return mine.filter((one) => this.#joined.get(one.id) === season && isCounted(rules, one))
  }

  #entriesOf(season: number, rules: ModelRules, player: string): ModelEntry[] {
    const [first] = this.#model.of(this.#board, player)
    const counted = this.#countedOf(season, rules, player)
    if (!rules.unique) return counted.map((one) => ({ ...one, added: one.time, updated: one.time, shown: one.id }))
    if (first === undefined || counted.length === 0) return []
    const kept = keptOf(rules, counted)
    const values = valuesOf(rules, counted)
    return [{ ...kept, ...values, id: first.id, added: first.time, updated: kept.time, shown: kept.id }]
  }
}
