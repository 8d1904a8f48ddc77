// Compares a fold of a past board with plain arrays, at a size at which its tables split, its pages fill and its order
// has many blocks: while the history is read, when ranked, and while entries come and go after that.

import { expect } from 'chai'
import type { Decimal } from '../../../domain/decimal.ts'
import type { JsonObject, StoredEvent } from '../../../domain/event.ts'
import { Times } from '../../../queries/past/times.ts'
import { BoardFold } from '../../../ranking/board-fold/board-fold.ts'
import { encodeSortKey } from '../../../ranking/sort-key.ts'
import { TimeSlices } from '../../../runtime/time-slices.ts'
import { Random } from '../../random.ts'
import { rulesOf } from '../../rules.ts'

const START_MS = Date.UTC(2026, 0, 1)
const SUBMISSIONS = 12_000
const AFTER = 3_000
const PLAYERS = 5_000

interface Row {
  readonly player: string
  readonly id: string
  readonly score: number
  readonly timeMs: number
  readonly position: string
}

const positionAt = (n: number) => String(n).padStart(16, '0')
const never = () => new AbortController().signal
const ranked = (fold: BoardFold) => new TimeSlices(never()).all(fold.rank())

class Model {
  readonly fold: BoardFold
  readonly rows = new Map<string, Row>()
  readonly #random = new Random(5)
  readonly #revisions = new Map<string, number>()
  #n = 0

  constructor(unique: boolean) {
    this.fold = new BoardFold(rulesOf(unique))
  }

  step(): void {
    const player = `player-${this.#random.below(PLAYERS)}`
    if (this.#random.chance(0.1)) this.#delete(player)
    else this.#submit(player)
  }

  #submit(player: string): void {
    const { unique } = this.fold.rules
    // Few distinct times, unordered: this gives ties, and rows that outgrow their space.
    const timeMs = START_MS + this.#random.below(500)
    const [id, position] = [`s${this.#n}`, positionAt(this.#n)]
    const sent = { player, id, score: this.#random.below(10 ** (1 + this.#random.below(7))), timeMs, position }
    this.#take('ScoreSubmitted', player, timeMs, {
      id,
      score: `${sent.score}`,
      secondary: null,
      extra: null,
      playerName: null,
    })
    if (!unique) this.rows.set(sent.id, sent)
    else {
      const entry = this.rows.get(player)
      if (entry === undefined || sent.score > entry.score) this.rows.set(player, { ...sent, id: entry?.id ?? sent.id })
    }
  }

  #delete(player: string): void {
    const { unique } = this.fold.rules
    const [key, entry] = unique
      ? [player, this.rows.get(player)]
      : ([...this.rows].find(([, row]) => row.player === player) ?? ['', undefined])
    if (entry === undefined) return
    this.#take('ScoreDeleted', player, entry.timeMs, { id: entry.id, upTo: unique ? this.#n : null })
    this.rows.delete(key)
  }

  #take(type: string, player: string, ms: number, data: JsonObject): void {
    const revision = this.#revisions.get(player) ?? 0
    this.#revisions.set(player, revision + 1)
    const position = positionAt(this.#n++)
    const time = new Date(ms).toISOString()
    const meta = { v: 1, game: 'g', board: 'b', player, command: '', actor: null, request: null, time }
    const event: StoredEvent = { id: position, type, data, meta, stream: `lb_b-${player}`, revision, position }
    this.fold.take(event, player)
    expect(this.fold.isUnsettled).to.equal(false)
  }

  sortKey = ({ score, position, timeMs, id }: Row): string =>
    encodeSortKey({ score: `${score}` as Decimal, secondary: null, position, timeMs, id }, this.fold.rules)

  /** Sort keys and players, in rank order. */
  expected(hidden: ReadonlySet<string> = new Set()): string[] {
    const shown = [...this.rows.values()].filter(({ player }) => !hidden.has(player))
    return shown.map((row) => `${this.sortKey(row)} ${row.player}`).sort()
  }
}

const linesOf = (fold: BoardFold) => fold.at(0, fold.ranked.size).map(({ sortKey, player }) => `${sortKey} ${player}`)

describe('a fold of a past board', () => {
  for (const unique of [true, false]) {
    it(`matches plain arrays while the history is folded, when ranked, and after later changes: ${unique ? 'unique' : 'not unique'}`, async () => {
      const model = new Model(unique)
      const { fold } = model
      for (let n = 0; n < SUBMISSIONS; n++) model.step()
      await ranked(fold)
      expect(linesOf(fold)).to.deep.equal(model.expected())
      for (let n = 0; n < AFTER; n++) model.step()
      const lines = model.expected()
      expect(linesOf(fold)).to.deep.equal(lines)

      const places = [0, 1, 1_023, 1_024, 1_025, lines.length - 1]
      expect(places.map((at) => fold.before(lines[at]?.split(' ')[0] ?? ''))).to.deep.equal(places)
      const [hidden, removed] = [lines[0], lines[700]].map((line) => line?.split(' ')[1] ?? '')
      fold.show(hidden ?? '', false)
      fold.show(hidden ?? '', false)
      expect(linesOf(fold)).to.deep.equal(model.expected(new Set([hidden ?? ''])))
      fold.show(hidden ?? '', true)
      fold.remove(removed ?? '')
      expect(linesOf(fold)).to.deep.equal(model.expected(new Set([removed ?? ''])))

      for (const player of ['player-1', 'player-2', 'player-3']) {
        const own = [...fold.shownOf(player)].map(({ sortKey }) => sortKey)
        expect(own).to.deep.equal(
          [...model.rows.values()]
            .filter((row) => row.player === player)
            .map(model.sortKey)
            .sort(),
        )
      }
    })
  }

  it('lists entries by time in either direction, and those of the same time by rank', async () => {
    const model = new Model(false)
    const { fold } = model
    for (let n = 0; n < SUBMISSIONS; n++) model.step()
    await ranked(fold)
    const times = await Times.of(fold, new TimeSlices(never()))
    const rows = [...model.rows.values()].map((row) => ({ sortKey: model.sortKey(row), timeMs: row.timeMs }))
    rows.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1))
    const read = (order: 'newest' | 'oldest', skip: number, limit: number) =>
      times.range(order, skip, limit).map((slot) => fold.rows.sortKey(slot))
    for (const [order, sign] of [
      ['oldest', 1],
      ['newest', -1],
    ] as const) {
      const all = rows.toSorted((a, b) => sign * (a.timeMs - b.timeMs)).map(({ sortKey }) => sortKey)
      expect(read(order, 0, all.length)).to.deep.equal(all)
      for (const skip of [1, 17, 5_000]) expect(read(order, skip, 40)).to.deep.equal(all.slice(skip, skip + 40))
    }
  })
})
