// Rankings in this process: one ordered set of members per key, gone with the process and filled again from the documents.

import { SortedBlocks } from '../../ranking/sorted-blocks.ts'
import type { Rankings } from '../contract/rankings.ts'

export function createRankings(): Rankings {
  const keys = new Map<string, SortedBlocks>()
  const of = (key: string): SortedBlocks => {
    const found = keys.get(key) ?? new SortedBlocks()
    keys.set(key, found)
    return found
  }
  return {
    async put(changes) {
      for (const { key, before, after } of changes) {
        if (before !== null) keys.get(key)?.remove(before)
        if (after !== null) of(key).add(after)
      }
    },
    async load(key, slices) {
      const fresh = new SortedBlocks()
      for await (const slice of slices) for (const member of slice) fresh.add(member)
      keys.set(key, fresh)
    },
    drop: async (key) => void keys.delete(key),
    size: async (key) => keys.get(key)?.size ?? 0,
    before: async (key, member) => keys.get(key)?.before(member) ?? 0,
    rank: async (key, member) => keys.get(key)?.rank(member) ?? null,
    range: async (key, offset, limit) => keys.get(key)?.range(offset, limit) ?? [],
    async around(key, member, limit) {
      const set = keys.get(key)
      const rank = set?.rank(member) ?? null
      if (set === undefined || rank === null) return null
      const offset = Math.max(0, Math.min(rank - Math.floor(limit / 2), set.size - limit))
      return { rank, size: set.size, offset, members: set.range(offset, limit) }
    },
  }
}
