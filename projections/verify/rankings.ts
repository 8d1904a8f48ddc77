// Compares the live rankings with the rebuilt documents, whose index by sort key is in rank order. A sort key that only
// one side has is checked again, because the ranking changes while it is read.

import { ALL_PARTITIONS } from '../../domain/partition.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { type AllRankings, type Rankings, RankingsLost } from '../../stores/contract/rankings.ts'
import { type Projection, type Ranked, viewKey } from '../projection.ts'
import type { Difference } from './report.ts'
import type { VerifyContext } from './verify-context.ts'

const PAGE = 5_000
const MAX_CHECKS = 3

interface OneRanking {
  readonly view: string
  readonly ranked: Ranked
  readonly key: string
  /** Asked again for each read: another build of the view may have become active. */
  readonly rankings: () => Rankings
}

/** Returns the number of sort keys compared and the differences. The id of a difference is the ranking's key. */
export async function compareRankings(
  context: VerifyContext,
  all: AllRankings,
  projection: Projection,
): Promise<{ readonly sortKeys: number; readonly differences: Difference[] }> {
  const { ranked } = projection
  const differences: Difference[] = []
  let sortKeys = 0
  if (ranked === undefined) return { sortKeys, differences }
  const view = viewKey(projection)
  for (const partition of ALL_PARTITIONS) {
    const rankings = () => all.of(view, partition)
    try {
      for await (const key of keysOf(context, view, ranked, partition)) {
        const found = await compareOne(context, { view, ranked, key, rankings })
        sortKeys += found.sortKeys
        differences.push(...found.differences)
      }
    } catch (error) {
      if (!(error instanceof RankingsLost)) throw error
      const id = `partition ${partition}`
      differences.push({
        view,
        collection: 'rankings',
        id,
        field: null,
        live: null,
        rebuilt: 'not filled: read again later',
      })
    }
  }
  return { sortKeys, differences }
}

async function* keysOf(
  { rebuiltViews }: VerifyContext,
  view: string,
  { keys, byPartition, key }: Ranked,
  partition: number,
) {
  for (let after: string | undefined; ; ) {
    const bound = after === undefined ? {} : { after }
    const find = { view, collection: keys, index: byPartition, equal: [partition], ...bound, limit: PAGE }
    const named = (await rebuiltViews.views.find(find)).map(({ body }) => body[key] as string)
    yield* named
    if (named.length < PAGE) return
    after = named.at(-1)
  }
}

async function compareOne(context: VerifyContext, one: OneRanking) {
  const differences: Difference[] = []
  let sortKeys = 0
  for (let after: string | null = null; ; ) {
    context.signal.throwIfAborted()
    const rebuilt = await rebuiltPage(context, one, after)
    const live = await livePage(one, after)
    if (!isAscending(live)) differences.push(differenceOf(one, 'order', 'not ascending', 'ascending'))
    const until = lastOfBoth(live, rebuilt)
    const liveSortKeys = new Set(until === null ? live : live.filter((sortKey) => sortKey <= until))
    const rebuiltSortKeys = new Set(until === null ? rebuilt : rebuilt.filter((sortKey) => sortKey <= until))
    const differing = [
      ...[...liveSortKeys].filter((sortKey) => !rebuiltSortKeys.has(sortKey)),
      ...[...rebuiltSortKeys].filter((sortKey) => !liveSortKeys.has(sortKey)),
    ]
    sortKeys += liveSortKeys.size
    differences.push(...(await checkAgain(context, one, differing)))
    if (until === null) return { sortKeys, differences }
    after = until
    await yieldToEventLoop()
  }
}

function lastOfBoth(...pages: readonly (readonly string[])[]): string | null {
  const ends = pages.filter(({ length }) => length >= PAGE).map((page) => page.at(-1) ?? '')
  return ends.length === 0 ? null : ends.reduce((least, one) => (one < least ? one : least))
}

const isAscending = (sortKeys: readonly string[]): boolean =>
  sortKeys.every((sortKey, index) => index === 0 || (sortKeys[index - 1] as string) < sortKey)

async function rebuiltPage({ rebuiltViews }: VerifyContext, { view, ranked, key }: OneRanking, after: string | null) {
  const { collection, index, sortKey } = ranked
  const bound = after === null ? {} : { after }
  const found = await rebuiltViews.views.find({ view, collection, index, equal: [key], ...bound, limit: PAGE })
  return found.map(({ body }) => body[sortKey] as string)
}

/** Sort keys may move between the two reads. Then a sort key seems to be missing and is checked again. */
async function livePage({ rankings, key }: OneRanking, after: string | null): Promise<string[]> {
  const offset = after === null ? 0 : await rankings().before(key, after)
  const read = await rankings().range(key, offset, PAGE + 1)
  return read.filter((sortKey) => after === null || sortKey > after).slice(0, PAGE)
}

/** Checks again, each time at a later position of the log, whether both sides have these sort keys. */
async function checkAgain(context: VerifyContext, one: OneRanking, sortKeys: readonly string[]): Promise<Difference[]> {
  const { view, ranked, key, rankings } = one
  let left = sortKeys.map((sortKey) => ({ sortKey, isLive: false }))
  for (let check = 0; check < MAX_CHECKS && left.length > 0; check++) {
    await context.live.align()
    const toCheck = left.map(({ sortKey }) => sortKey)
    const ranks = await rankings().ranks(key, toCheck)
    const differing: typeof left = []
    for (const [at, sortKey] of toCheck.entries()) {
      const find = { view, collection: ranked.collection, index: ranked.index, equal: [key], from: sortKey, limit: 1 }
      const [rebuilt] = await context.rebuiltViews.views.find(find)
      const isLive = ranks[at] !== null
      if (isLive !== (rebuilt?.body[ranked.sortKey] === sortKey)) differing.push({ sortKey, isLive })
    }
    left = differing
  }
  return left.map(({ sortKey, isLive }) =>
    differenceOf(one, 'member', isLive ? sortKey : null, isLive ? null : sortKey),
  )
}

const differenceOf = (
  { view, key }: OneRanking,
  field: string,
  live: string | null,
  rebuilt: string | null,
): Difference => ({
  view,
  collection: 'rankings',
  id: key,
  field,
  live,
  rebuilt,
})
