// GET scores of one player: their entries with their ranks on the whole board, as far as filters let them through.

import { foldCase } from '../fold-case.ts'
import type { Slices } from '../slices.ts'
import type { Heavy } from '../work-queue.ts'
import { agreed, refuseWhereLost, withRanks } from './board.ts'
import { type Members, pageOfMembers } from './narrowed.ts'
import { inOrder } from './order.ts'
import { ranksByDocuments } from './plain.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'
import { filterOf } from './score-bounds.ts'

/** Players with more entries than these on a board are read in slices, and queued. */
const LONG = 250
/** Entries read at once. */
const PAGE = 100

export async function ofPlayer(reader: Reader, player: string, query: ScoresQuery, heavy: Heavy): Promise<ScoresPage> {
  const find = { index: 'player', equal: [player, reader.key] }
  const first = await reader.find({ ...find, limit: LONG + 1 })
  if (first.length > LONG) return heavy((slices) => ofLongPlayer(reader, player, query, slices).catch(refuseWhereLost))
  const matches = filterOf(query, foldCase)
  const matching = async () => (await reader.find({ ...find, limit: LONG + 1 })).filter(matches)
  const { order, offset, limit } = query
  const ranked = await agreed(
    async () => withRanks(reader, await matching()),
    async () => ranksByDocuments(reader, await matching()),
  )
  return { rows: inOrder(ranked, order).slice(offset, offset + limit), count: ranked.length, offset }
}

/** Best first. Entries of one player that are more than one never change: none is met twice. */
async function ofLongPlayer(reader: Reader, player: string, query: ScoresQuery, slices: Slices): Promise<ScoresPage> {
  const matches = filterOf(query, foldCase)
  const members: string[] = []
  for (let after: string | undefined; ; ) {
    const bound = after === undefined ? {} : { after }
    const page = await reader.find({ index: 'player', equal: [player, reader.key], ...bound, limit: PAGE })
    for (const entry of page) if (matches(entry)) members.push(entry.member)
    if (page.length < PAGE) break
    after = page.at(-1)?.member
    await slices.turnIfDue()
  }
  const all: Members = { members, matching: Uint32Array.from(members.keys()), known: new Map() }
  const { rows, ...page } = await pageOfMembers(reader, all, query, slices)
  const entries = rows.map(({ entry }) => entry)
  return { ...page, rows: (await withRanks(reader, entries)) ?? (await ranksByDocuments(reader, entries)) }
}
