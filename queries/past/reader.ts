// A past board as the reads of live ones see a board (queries/scores/board.ts): the same code answers from both.

import type { StoredEvent } from '../../domain/event.ts'
import { rankingKey } from '../../ranking/key.ts'
import { type History, historyPages, upTo } from '../../stores/contract/history.ts'
import type { Find } from '../../stores/contract/views.ts'
import type { Reader } from '../scores/board.ts'
import type { Entry, Ranked } from '../scores/entry.ts'
import { centred } from '../scores/order.ts'
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
      const some = players.slice(from, from + NAMES_AT_ONCE)
      const documents = await queries.views.get(queries.viewKey('entries'), 'names', some)
      for (const document of documents) found.push((document?.body.name ?? null) as string | null)
    }
    return found
  }

  /** Where the entries given here come from. Of a window one may show another submission, and has all of that by itself. */
  const owns = new WeakMap<Entry, Own>()

  const entryOf = (own: Own): Entry => {
    const member = own.member ?? ''
    const { score, secondary, timeMs } = fold.fields(member)
    const updated = new Date(timeMs).toISOString()
    const times = { added: own.addedMs === null ? updated : new Date(own.addedMs).toISOString(), updated }
    const { player, id: ownId } = own
    const place = { id: ownId, board: id, generation, player, ranking: key, member }
    const entry: Entry = { ...place, score, secondary, extra: null, name: null, ...times }
    owns.set(entry, own)
    return entry
  }

  const complete = async (entries: readonly Entry[]): Promise<Entry[]> => {
    const there = entries.map((entry) => owns.get(entry)).filter((own) => own !== undefined)
    const contents = await contentsOf(deps, past, there, slices)
    const present = await names(there.map(({ player }) => player))
    let next = 0
    return entries.map((entry) => {
      if (!owns.has(entry)) return entry
      const { extra = null, playerName = null } = contents[next] ?? {}
      const name = playerName ?? present[next] ?? null
      next++
      return { ...entry, extra, name }
    })
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
    const entries = (await found(asked)).map(entryOf)
    return named ? complete(entries) : entries
  }

  return {
    board: id,
    game,
    rules: fold.rules,
    generation,
    key,
    fixed: true,
    rankings: rankingsOf(past),
    deps: { ...counting, history: historyBy(queries.history, past) },
    find,
    get: async () => [],
    documentOf: ({ member }) => member,
    documentFor: (_player, submission) => submission,
    bestOf: async (player) => {
      const [own] = fold.shownOf(player)
      return own === undefined ? null : entryOf(own)
    },
    names,
    whole: async (rows: readonly Ranked[]) => {
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

/** The ranking of a past board. O(log n) each, and the members given. */
function rankingsOf({ fold }: PastBoard): Reader['rankings'] {
  const place = (member: string): number | null => {
    const at = fold.before(member)
    const [slot] = fold.ranked.range(at, 1)
    return slot !== undefined && fold.rows.member(slot) === member ? at : null
  }
  const range = (offset: number, limit: number) =>
    fold.ranked.range(offset, limit).map((slot) => fold.rows.member(slot))
  return {
    size: async () => fold.ranked.size,
    before: async (_key, member) => fold.before(member),
    ranks: async (_key, members) => members.map(place),
    range: async (_key, offset, limit) => range(offset, limit),
    around: async (_key, member, limit) => {
      const rank = place(member)
      if (rank === null) return null
      const offset = centred(rank, fold.ranked.size, limit)
      return { rank, size: fold.ranked.size, offset, members: range(offset, limit) }
    },
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
