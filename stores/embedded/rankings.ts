// Rankings in this process: one ordered set of members per key, gone with the process and filled again from the documents.

import type { Position } from '../../domain/event.ts'
import { SortedBlocks } from '../../ranking/sorted-blocks.ts'
import { type RankingChange, type Rankings, RankingsLost } from '../contract/rankings.ts'

interface Ranking {
  readonly members: SortedBlocks
  /** Position of the last change taken. */
  mark: Position
}

/** All rankings of one view, and the position that they were filled at ('' for an empty log). */
interface Filled {
  readonly view: string
  readonly at: Position
  readonly keys: Map<string, Ranking>
}

export function createRankings(): Rankings {
  let filled: Filled | null = null

  function standing(): Filled {
    if (filled === null) throw new RankingsLost()
    return filled
  }

  const membersOf = (key: string): SortedBlocks | undefined => standing().keys.get(key)?.members

  async function fill(view: string, at: Position | null, rankings: Parameters<Rankings['fill']>[2]): Promise<void> {
    const from = at ?? ''
    filled = null
    const keys = new Map<string, Ranking>()
    for await (const { key, members: slices } of rankings) {
      const members = new SortedBlocks()
      for await (const slice of slices) members.addLast(slice)
      keys.set(key, { members, mark: from })
    }
    filled = { view, at: from, keys }
  }

  async function put(changes: readonly RankingChange[]): Promise<void> {
    const { keys, at } = standing()
    const marks = new Map<Ranking, Position>()
    for (const { key, before, after, pos } of changes) {
      let ranking = keys.get(key)
      if (ranking === undefined) {
        ranking = { members: new SortedBlocks(), mark: at }
        keys.set(key, ranking)
      }
      // The mark as it stood before this call: one event may change several entries of a key.
      if (pos <= ranking.mark) continue
      for (const member of before) ranking.members.remove(member)
      if (after !== null) ranking.members.add(after)
      if (pos > (marks.get(ranking) ?? '')) marks.set(ranking, pos)
    }
    for (const [ranking, mark] of marks) ranking.mark = mark
  }

  return {
    putMax: Number.POSITIVE_INFINITY,
    isFilled: async (view) => filled?.view === view,
    fill,
    put,
    size: async (key) => membersOf(key)?.size ?? 0,
    before: async (key, member) => membersOf(key)?.before(member) ?? 0,
    async ranks(key, members) {
      const set = membersOf(key)
      return members.map((member) => set?.rank(member) ?? null)
    },
    range: async (key, offset, limit) => membersOf(key)?.range(offset, limit) ?? [],
    async around(key, member, limit) {
      const set = membersOf(key)
      const rank = set?.rank(member) ?? null
      if (set === undefined || rank === null) return null
      const offset = Math.max(0, Math.min(rank - Math.floor(limit / 2), set.size - limit))
      return { rank, size: set.size, offset, members: set.range(offset, limit) }
    },
  }
}
