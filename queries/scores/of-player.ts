// GET scores of one player: their entries with their ranks on the whole board, filtered.

import type { TimeSlices } from '../../runtime/time-slices.ts'
import { toCaseless } from '../caseless.ts'
import type { Heavy } from '../work-queue.ts'
import { agreed, refuseWhereLost, withRanks } from './board.ts'
import { firstEntries, playerPages } from './entries-of-player.ts'
import { allMatching, pageOfSortKeys } from './filtered-page.ts'
import { ranksByDocuments } from './plain.ts'
import { inOrder, type ScoresPage, type ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'
import { filterOf } from './score-bounds.ts'

export async function ofPlayer(reader: Reader, player: string, query: ScoresQuery, heavy: Heavy): Promise<ScoresPage> {
  const { isAll } = await firstEntries(reader, player)
  if (!isAll) return heavy((slices) => ofLongPlayer(reader, player, query, slices).catch(refuseWhereLost))
  const matches = filterOf(query, toCaseless)
  const matching = async () => (await firstEntries(reader, player)).entries.filter(matches)
  const { order, offset, limit } = query
  const ranked = await agreed(
    async () => withRanks(reader, await matching()),
    async () => ranksByDocuments(reader, await matching()),
  )
  return { rows: inOrder(ranked, order).slice(offset, offset + limit), count: ranked.length, offset }
}

async function ofLongPlayer(
  reader: Reader,
  player: string,
  query: ScoresQuery,
  slices: TimeSlices,
): Promise<ScoresPage> {
  const matches = filterOf(query, toCaseless)
  const sortKeys: string[] = []
  for await (const page of playerPages(reader, player, slices)) {
    for (const entry of page) if (matches(entry)) sortKeys.push(entry.member)
  }
  const { rows, ...page } = await pageOfSortKeys(reader, allMatching(sortKeys), query, slices)
  const entries = rows.map(({ entry }) => entry)
  return { ...page, rows: (await withRanks(reader, entries)) ?? (await ranksByDocuments(reader, entries)) }
}
