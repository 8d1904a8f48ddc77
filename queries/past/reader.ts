// A past board as the reads of live ones see a board (queries/scores/reader.ts): the same code answers from both.

import type { StoredEvent } from '../../domain/event.ts'
import { isoOf } from '../../domain/iso.ts'
import { rankingKey } from '../../ranking/key.ts'
import { type History, historyPages, upTo } from '../../stores/contract/history.ts'
import type { Find } from '../../stores/contract/views.ts'
import type { Entry, Ranked } from '../scores/entry.ts'
import { centred } from '../scores/order.ts'
import type { ScoresPage } from '../scores/query.ts'
import type { Reader } from '../scores/reader.ts'
import { Slices } from '../slices.ts'
import type { PastBoard } from './board.ts'
import { contentsOf } from './contents.ts'
import type { PastDeps } from './deps.ts'
import type { Own } from './rows.ts'

const NAMES_AT_ONCE = 1_000
const RUN = 250

/**
 * `named`: also what `find` gives has names, for whoever looks for one; else only what `whole` was asked for. `signal` aborts
 * when nobody waits for the answer any more.
 */
export function pastReader(deps: PastDeps, past: PastBoard, named: boolean, signal: AbortSignal): Reader {
  const { queries } = deps
  const { fold, board } = past
  const { id, game, generation } = board
  // The index of windows is of the board as it stands now.
  const { windows: _, ...counting } = queries
  const key = `${rankingKey(id, generation)}@${past.asOf}`
  const slices = () => new Slices(signal)

  const names = async (players: readonly string[]) => {
    const found: (string | null)[] = []
    for (let from = 0; from < players.length; from += NAMES_AT_ONCE) {
      if (from > 0) await slices().turn()
      const some = players.length <= NAMES_AT_ONCE ? players : players.slice(from, from + NAMES_AT_ONCE)
      const documents = await queries.views.get(queries.viewKey('entries'), 'names', some)
      for (const document of documents) found.push((document?.body.name ?? null) as string | null)
    }
    return found
  }

  const entryOf = (own: Own, extra: string | null, name: string | null): Entry => {
    const { player, id: ownId, addedMs } = own
    const member = own.member ?? ''
    const { score, secondary, timeMs } = fold.fields(member)
    const updated = isoOf(timeMs)
    const added = addedMs === null || addedMs === timeMs ? updated : isoOf(addedMs)
    // Named one by one: laid out from a part, each would cost ten times as much.
    return {
      id: ownId,
      board: id,
      generation,
      player,
      ranking: key,
      member,
      score,
      secondary,
      extra,
      name,
      added,
      updated,
    }
  }

  /** As they are answered. What is given here was taken at one moment: nothing else is looked up in the board. */
  const wholeOf = async (owns: readonly Own[]): Promise<Entry[]> => {
    const present = await names(owns.map(({ player }) => player))
    if (owns.every(({ bare }) => bare)) return owns.map((own, i) => entryOf(own, null, present[i] ?? null))
    const contents = await contentsOf(deps, past, owns, slices)
    return owns.map((own, i) => {
      const { extra = null, playerName = null } = contents[i] ?? {}
      return entryOf(own, extra, playerName ?? present[i] ?? null)
    })
  }

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
    return { rows, count, offset, own: { entry: entryOf(own, null, null), rank: before + 1 } }
  }

  /** Where the entries given here come from. Of a window one may show another submission, and has all of that by itself. */
  const owns = new Map<Entry, Own>()

  /** Each entry that was given here, with its extra data and its name. */
  const complete = async (entries: readonly Entry[]): Promise<Entry[]> => {
    const there = entries.filter((entry) => owns.has(entry))
    const whole = await wholeOf(there.map((entry) => owns.get(entry) as Own))
    let next = 0
    return entries.map((entry) => (owns.has(entry) ? (whole[next++] as Entry) : entry))
  }

  const found = async (asked: Omit<Find, 'view' | 'collection'>): Promise<Own[]> => {
    const { index, equal, from, until, reverse = false, skip = 0, limit } = asked
    if (index === 'player') return some(fold.shownOf(String(equal[0])), skip, limit)
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
    const those = await found(asked)
    if (named) return wholeOf(those)
    return those.map((own) => {
      const entry = entryOf(own, null, null)
      owns.set(entry, own)
      return entry
    })
  }

  return {
    board: id,
    game,
    rules: fold.rules,
    generation,
    key,
    rankings: rankingsOf(past),
    deps: { ...counting, history: historyBy(queries.history, past) },
    at: (offset, limit) => rowsOf(fold.at(offset, limit), offset),
    around,
    find,
    get: async () => [],
    documentOf: ({ member }) => member,
    documentFor: (_player, submission) => submission,
    bestOf: async (player) => {
      const [own] = fold.shownOf(player)
      return own === undefined ? null : entryOf(own, null, null)
    },
    names,
    whole: async (rows) => {
      if (owns.size === 0) return rows
      const entries = await complete(rows.map(({ entry }) => entry))
      return rows.map(({ rank }, i) => ({ rank, entry: entries[i] as Entry }))
    },
  }
}

function some<One>(all: Iterable<One>, skip: number, limit: number): One[] {
  const found: One[] = []
  let at = 0
  for (const one of all) {
    if (found.length === limit) break
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
