// Gives access to a past board through the interface for live boards (queries/scores/reader.ts), so that the same code
// answers from both.

import { NO_DETAILS } from '../../domain/score.ts'
import type { EntryRow } from '../../ranking/board-fold/row.ts'
import { centred } from '../../ranking/centred.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { History } from '../../stores/contract/history.ts'
import type { Find } from '../../stores/contract/views.ts'
import { upTo } from '../../stores/support/history-pages.ts'
import type { Entry, Ranked } from '../scores/entry.ts'
import type { ScoresPage } from '../scores/query.ts'
import type { Reader } from '../scores/reader.ts'
import type { ReadCaller } from '../work-queue.ts'
import type { PastBoard } from './board.ts'
import type { PastDeps } from './deps.ts'
import { entryFrom, namesOf, wholeEntries } from './entries.ts'

const RUN = 250

/**
 * `named`: `find` returns entries with names, for a search by name; else only `whole` adds them. `call.signal` aborts
 * when no caller waits for the answer.
 */
export function pastReader(deps: PastDeps, past: PastBoard, named: boolean, call: ReadCaller): Reader {
  const { queries } = deps
  const { fold, board } = past
  const { id, game, generation } = board
  // The window index is of the current board only.
  const { windows: _, ...counting } = queries
  const entries = new PastEntries(deps, past, named, () => new TimeSlices(call.signal, call.path))
  return {
    board: id,
    game,
    rules: fold.rules,
    generation,
    key: past.key,
    rankings: rankingsOf(past),
    skipsOneByOne: false,
    deps: { ...counting, history: historyOf(queries.history, past) },
    at: (offset, limit) => entries.rows(fold.at(offset, limit), offset),
    around: (player, limit) => entries.around(player, limit),
    reached: async () => null,
    find: async (query) => entries.given(await entries.found(query)),
    get: async () => [],
    entriesOf: async (sortKeys) => {
      const selected = sortKeys.flatMap((sortKey) => {
        const [slot] = fold.ranked.range(fold.before(sortKey), 1)
        return slot !== undefined && fold.rows.sortKey(slot) === sortKey ? [fold.rows.own(slot)] : []
      })
      return entries.given(selected)
    },
    documentFor: (_player, submission) => submission,
    bestOf: async (player) => {
      const [own] = fold.shownOf(player)
      return own === undefined ? null : entryFrom(past, own, NO_DETAILS, null)
    },
    names: (players) => namesOf(queries, players, entries.slices),
    whole: (rows) => entries.whole(rows),
  }
}

/** The entries of a past board for one call. */
class PastEntries {
  readonly slices: () => TimeSlices
  readonly #deps: PastDeps
  readonly #past: PastBoard
  readonly #named: boolean
  /**
   * The row of each returned entry. An entry of a window may show another submission; then it is complete and not in
   * here.
   */
  readonly #entryRows = new Map<Entry, EntryRow>()

  constructor(deps: PastDeps, past: PastBoard, named: boolean, slices: () => TimeSlices) {
    this.#deps = deps
    this.#past = past
    this.#named = named
    this.slices = slices
  }

  async rows(entryRows: readonly EntryRow[], offset: number): Promise<Ranked[]> {
    const entries = await this.#wholeOf(entryRows)
    return entries.map((entry, i) => ({ entry, rank: offset + i + 1 }))
  }

  async around(player: string, limit: number): Promise<ScoresPage> {
    const { fold } = this.#past
    const [own] = fold.shownOf(player)
    const count = fold.ranked.size
    if (own === undefined) return { rows: [], count, offset: 0, own: null }
    const before = fold.before(own.sortKey ?? '')
    const offset = centred(before, count, limit)
    const rows = await this.rows(fold.at(offset, limit), offset)
    return { rows, count, offset, own: { entry: entryFrom(this.#past, own, NO_DETAILS, null), rank: before + 1 } }
  }

  async found(query: Omit<Find, 'view' | 'collection'>): Promise<EntryRow[]> {
    const { fold } = this.#past
    const { index, equal, from, after, until, reverse = false, skip = 0, limit } = query
    if (index === 'player') return some(fold.shownOf(String(equal[0])), after, skip, limit)
    if (index === 'newest' || index === 'oldest') {
      const times = await this.#past.times(this.slices())
      return times.range(index, skip, limit).map((slot) => fold.rows.own(slot))
    }
    const begin = from === undefined ? 0 : fold.before(String(from))
    const end = until === undefined ? fold.ranked.size : fold.before(String(until))
    const length = Math.max(0, Math.min(limit, end - begin))
    const first = reverse ? end - length : begin
    const entryRows: EntryRow[] = []
    const pace = this.slices()
    for (let at = first; at < first + length; at += RUN) {
      entryRows.push(...fold.at(at, Math.min(RUN, first + length - at)))
      if (pace.due) await pace.yield()
    }
    return reverse ? entryRows.reverse() : entryRows
  }

  async given(selected: readonly EntryRow[]): Promise<Entry[]> {
    if (this.#named) return this.#wholeOf(selected)
    return selected.map((own) => {
      const entry = entryFrom(this.#past, own, NO_DETAILS, null)
      this.#entryRows.set(entry, own)
      return entry
    })
  }

  /** Adds details and names to the entries that were returned by this object. */
  async whole(rows: readonly Ranked[]): Promise<readonly Ranked[]> {
    const known = rows.flatMap(({ entry }) => this.#entryRows.get(entry) ?? [])
    if (known.length === 0) return rows
    const whole = await this.#wholeOf(known)
    let next = 0
    return rows.map((row) => (this.#entryRows.has(row.entry) ? { ...row, entry: whole[next++] as Entry } : row))
  }

  #wholeOf = (entryRows: readonly EntryRow[]) => wholeEntries(this.#deps, this.#past, entryRows, this.slices)
}

function some(all: Iterable<EntryRow>, after: string | number | undefined, skip: number, limit: number): EntryRow[] {
  const found: EntryRow[] = []
  let at = 0
  for (const one of all) {
    if (found.length === limit) break
    if (after !== undefined && (one.sortKey ?? '') <= String(after)) continue
    if (at++ >= skip) found.push(one)
  }
  return found
}

/** The ranking of a past board. O(log n) per call. */
function rankingsOf({ fold }: PastBoard): Reader['rankings'] {
  const indexOf = (sortKey: string): number | null => {
    const at = fold.before(sortKey)
    const [slot] = fold.ranked.range(at, 1)
    return slot !== undefined && fold.rows.sortKey(slot) === sortKey ? at : null
  }
  return {
    size: async () => fold.ranked.size,
    before: async (_key, sortKey) => fold.before(sortKey),
    ranks: async (_key, sortKeys) => sortKeys.map(indexOf),
  }
}

/** The board's history up to its cut. */
function historyOf(history: History, { cut }: PastBoard): History {
  return {
    nth: () => Promise.reject(new Error('the events of a past board cannot be counted')),
    skip: async (_game, { after }) => after,
    lastBy: () => Promise.reject(new Error('a past board has no instants')),
    part: async (filter, after, limit) => (await history.part(filter, after, limit)).filter(upTo(cut)),
  }
}
