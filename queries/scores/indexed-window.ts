// GET scores inside a window, on a board that has an index of windows: ranks and places from the index, rows from what
// is recorded, answered only where both agree.

import { idOfMember } from '../../ranking/member.ts'
import type { WindowIndex } from '../../ranking/window-index.ts'
import { turn } from '../../stores/contract/turn.ts'
import { bestInside } from './best-inside.ts'
import type { Entry, Ranked } from './entry.ts'
import type { Inside } from './inside.ts'
import { centred, inOrder, type Order } from './order.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'

const TRIES = 5

/** Null where it is to be counted: there is no index, or it and the documents do not come to agree. */
export async function indexedWindow(reader: Reader, query: ScoresQuery): Promise<ScoresPage | null> {
  const { windows } = reader.deps
  if (windows === undefined) return null
  const { unique } = reader.rules
  const best = query.bestInside && unique ? { since: query.since, until: query.until, rules: reader.rules } : null
  if (best !== null && isByTime(query)) {
    windows.counted('by_time')
    return null
  }
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const index = await windows.of({ ...reader, unique, best })
    if (index === null) return null
    const inside = best === null ? standing(reader, query, index) : bestInside(reader, windows, best, index)
    const page = await pageOf(inside, query)
    if (page !== null) return page
    await turn()
  }
  windows.counted('moving')
  return null
}

/** The entries that were set inside the window. */
function standing(reader: Reader, query: ScoresQuery, index: WindowIndex): Inside {
  const since = query.since === null ? Number.NEGATIVE_INFINITY : Date.parse(query.since)
  const until = query.until === null ? Number.POSITIVE_INFINITY : Date.parse(query.until)
  return {
    ...{ reader, index, since, until },
    entriesOf: (members) => entriesOf(reader, members),
    entriesOfPlayer: async (player) => {
      const limit = Number.MAX_SAFE_INTEGER
      const entries = await reader.find({ index: 'player', equal: [player, reader.key], limit })
      return entries.filter(({ updated }) => Date.parse(updated) >= since && Date.parse(updated) < until)
    },
  }
}

const isByTime = ({ order, player, around }: ScoresQuery): boolean =>
  player === null && around === null && (order === 'newest' || order === 'oldest')

function pageOf(inside: Inside, query: ScoresQuery): Promise<ScoresPage | null> {
  if (query.around !== null) return aroundPlayer(inside, query.around, query.limit)
  if (query.player !== null) return ofPlayer(inside, query.player, query)
  if (query.order === 'best' || query.order === 'worst') return byRank(inside, query.order, query)
  return byTime(inside, query.order, query)
}

async function byRank(inside: Inside, order: Order, { offset, limit }: ScoresQuery): Promise<ScoresPage | null> {
  const { index, since, until } = inside
  const count = index.size(since, until)
  const end = order === 'best' ? Math.min(count, offset + limit) : Math.max(0, count - offset)
  const start = order === 'best' ? Math.min(count, offset) : Math.max(0, end - limit)
  const rows = await rowsAt(inside, start, end - start)
  if (rows === null) return null
  return { rows: order === 'best' ? rows : rows.reverse(), count, offset }
}

/** What the index says is taken at once, before anything is waited for. */
async function rowsAt(inside: Inside, start: number, limit: number): Promise<Ranked[] | null> {
  const { index, since, until } = inside
  const entries = await inside.entriesOf(index.range(start, limit, since, until))
  return entries?.map((entry, i) => ({ entry, rank: start + i + 1 })) ?? null
}

async function entriesOf(reader: Reader, members: readonly string[]): Promise<Entry[] | null> {
  const { key, rules } = reader
  const found = rules.unique
    ? await reader.find({ index: 'rank', equal: [key], among: members, limit: members.length })
    : await reader.get(members.map((member) => reader.documentFor('', idOfMember(member))))
  const areThose = found.length === members.length && found.every((entry, i) => entry.member === members[i])
  return areThose ? found : null
}

async function byTime(inside: Inside, order: Order, query: ScoresQuery): Promise<ScoresPage | null> {
  const { reader, index, since, until } = inside
  const { offset, limit } = query
  const find = { index: order, equal: [reader.key], skip: offset, limit }
  const rows = withRanks(
    inside,
    await reader.find({ ...find, ...(order === 'oldest' ? ascending : descending)(query) }),
  )
  return rows === null ? null : { rows, count: index.size(since, until), offset }
}

const ascending = ({ since, until }: ScoresQuery) => ({
  ...(since !== null && { from: since }),
  ...(until !== null && { until }),
})

const descending = ({ since, until }: ScoresQuery) => ({
  ...(until !== null && { after: until }),
  ...(since !== null && { until: justBefore(since) }),
})

/** Descending, a bound that is left out is the one before the first that is taken. */
const justBefore = (time: string): string => new Date(Date.parse(time) - 1).toISOString()

/** Null where the index knows an entry otherwise. */
function withRanks({ index, since, until }: Inside, entries: readonly Entry[]): Ranked[] | null {
  const ranked: Ranked[] = []
  for (const entry of entries) {
    if (index.memberOf(entry.id) !== entry.member) return null
    ranked.push({ entry, rank: index.before(entry.member, since, until) + 1 })
  }
  return ranked
}

async function ofPlayer(inside: Inside, player: string, query: ScoresQuery): Promise<ScoresPage | null> {
  const ranked = withRanks(inside, await inside.entriesOfPlayer(player))
  if (ranked === null) return null
  const { offset, limit } = query
  return { rows: inOrder(ranked, query.order).slice(offset, offset + limit), count: ranked.length, offset }
}

async function aroundPlayer(inside: Inside, player: string, limit: number): Promise<ScoresPage | null> {
  const { index, since, until } = inside
  const [best] = await inside.entriesOfPlayer(player)
  const ranked = withRanks(inside, best === undefined ? [] : [best])
  if (ranked === null) return null
  const count = index.size(since, until)
  const [own] = ranked
  if (own === undefined) return { rows: [], count, offset: 0, own: null }
  const offset = centred(own.rank - 1, count, limit)
  const rows = await rowsAt(inside, offset, Math.min(limit, count))
  return rows === null ? null : { rows, count, offset, own }
}
