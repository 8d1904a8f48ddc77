// A past board as the reads of live ones see a board (queries/scores/reader.ts): the same code answers from both.

import type { StoredEvent } from '../../domain/event.ts'
import { Slices } from '../../scheduling/time-slices.ts'
import type { History } from '../../stores/contract/history.ts'
import type { Find } from '../../stores/contract/views.ts'
import { historyPages, upTo } from '../../stores/support/history-pages.ts'
import type { Entry, Ranked } from '../scores/entry.ts'
import { centred } from '../scores/order.ts'
import type { ScoresPage } from '../scores/query.ts'
import type { Reader } from '../scores/reader.ts'
import type { ReadCaller } from '../work-queue.ts'
import type { PastBoard } from './board.ts'
import type { PastDeps } from './deps.ts'
import { entryFrom, namesOf, wholeEntries } from './entries.ts'
import type { Own } from './rows.ts'

const RUN = 250

/**
 * `named`: also what `find` gives has names, for whoever looks for one; else only what `whole` was asked for.
 * `call.signal` aborts when nobody waits for the answer any more.
 */
export function pastReader(deps: PastDeps, past: PastBoard, named: boolean, call: ReadCaller): Reader {
  const { queries } = deps
  const { fold, board } = past
  const { id, game, generation } = board
  // The index of windows is of the board as it stands now.
  const { windows: _, ...counting } = queries
  const slices = () => new Slices(call.signal, call.path)

  const entryOf = (own: Own) => entryFrom(past, own, null, null)
  const wholeOf = (owns: readonly Own[]) => wholeEntries(deps, past, owns, slices)

  const rowsOf = async (owns: readonly Own[], offset: number): Promise<Ranked[]> => {
    const entries = await wholeOf(owns)
    return entries.map((entry, i) => ({ entry, rank: offset + i + 1 }))
  }

  const around = async (player: string, limit: number): Promise<ScoresPage> => {
    const [own] = fold.shownOf(player)
    const count = fold.ranked.size
    if (own === undefined) return { rows: [], count, offset: 0, own: null }
    const before = fold.before(own.member ?? '')
    const offset = centred(before, count, limit)
    const rows = await rowsOf(fold.at(offset, limit), offset)
    return { rows, count, offset, own: { entry: entryOf(own), rank: before + 1 } }
  }

  /**
   * Where the entries given here come from. Of a window one may show another submission, and has all of that by itself.
   */
  const owns = new Map<Entry, Own>()

  /** Each entry that was given here, with its extra data and its name. */
  const complete = async (entries: readonly Entry[]): Promise<Entry[]> => {
    const there = entries.filter((entry) => owns.has(entry))
    const whole = await wholeOf(there.map((entry) => owns.get(entry) as Own))
    let next = 0
    return entries.map((entry) => (owns.has(entry) ? (whole[next++] as Entry) : entry))
  }

  const found = async (asked: Omit<Find, 'view' | 'collection'>): Promise<Own[]> => {
    const { index, equal, from, after, until, reverse = false, skip = 0, limit } = asked
    if (index === 'player') return some(fold.shownOf(String(equal[0])), after, skip, limit)
    if (index === 'newest' || index === 'oldest') {
      const times = await past.times(slices())
      return times.range(index, skip, limit).map((slot) => fold.rows.own(slot))
    }
    const begin = from === undefined ? 0 : fold.before(String(from))
    const end = until === undefined ? fold.ranked.size : fold.before(String(until))
    const length = Math.max(0, Math.min(limit, end - begin))
    const first = reverse ? end - length : begin
    const owns: Own[] = []
    const pace = slices()
    for (let at = first; at < first + length; at += RUN) {
      owns.push(...fold.at(at, Math.min(RUN, first + length - at)))
      if (pace.due) await pace.turn()
    }
    return reverse ? owns.reverse() : owns
  }

  const find = async (asked: Omit<Find, 'view' | 'collection'>) => {
    return given(await found(asked))
  }

  const given = async (those: readonly Own[]): Promise<Entry[]> => {
    if (named) return wholeOf(those)
    return those.map((own) => {
      const entry = entryOf(own)
      owns.set(entry, own)
      return entry
    })
  }

  return {
    board: id,
    game,
    rules: fold.rules,
    generation,
    key: past.key,
    rankings: rankingsOf(past),
    skipsOneByOne: false,
    deps: { ...counting, history: historyBy(queries.history, past) },
    at: (offset, limit) => rowsOf(fold.at(offset, limit), offset),
    around,
    reached: async () => null,
    find,
    get: async () => [],
    entriesOf: async (members) => {
      const those = members.flatMap((member) => {
        const [slot] = fold.ranked.range(fold.before(member), 1)
        return slot !== undefined && fold.rows.member(slot) === member ? [fold.rows.own(slot)] : []
      })
      return given(those)
    },
    documentOf: ({ member }) => member,
    documentFor: (_player, submission) => submission,
    bestOf: async (player) => {
      const [own] = fold.shownOf(player)
      return own === undefined ? null : entryOf(own)
    },
    names: (players) => namesOf(queries, players, slices),
    whole: async (rows) => {
      if (owns.size === 0) return rows
      const entries = await complete(rows.map(({ entry }) => entry))
      return rows.map(({ rank }, i) => ({ rank, entry: entries[i] as Entry }))
    },
  }
}

function some(all: Iterable<Own>, after: string | number | undefined, skip: number, limit: number): Own[] {
  const found: Own[] = []
  let at = 0
  for (const one of all) {
    if (found.length === limit) break
    if (after !== undefined && (one.member ?? '') <= String(after)) continue
    if (at++ >= skip) found.push(one)
  }
  return found
}

/** The ranking of a past board. O(log n) each. */
function rankingsOf({ fold }: PastBoard): Reader['rankings'] {
  const place = (member: string): number | null => {
    const at = fold.before(member)
    const [slot] = fold.ranked.range(at, 1)
    return slot !== undefined && fold.rows.member(slot) === member ? at : null
  }
  return {
    size: async () => fold.ranked.size,
    before: async (_key, member) => fold.before(member),
    ranks: async (_key, members) => members.map(place),
  }
}

/** The board's history as it was at the instant. */
function historyBy(history: History, { asOf, upTo: last }: PastBoard): History {
  return {
    nth: () => Promise.reject(new Error('events of an instant are not counted')),
    async part(filter, after, limit) {
      const found: StoredEvent[] = []
      for await (const page of historyPages(history.part, filter, { after, isIn: upTo(last ?? ''), limit })) {
        for (const event of page) if (event.meta.time <= asOf && found.length < limit) found.push(event)
        if (found.length === limit) break
      }
      return found
    },
  }
}
