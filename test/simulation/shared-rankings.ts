// Rankings that outlive the nodes and are shared by them, as a store outside the process keeps them: a change is skipped
// where a newer one of the same entry was taken, and an entry stands at most once, whatever the change thinks it was before.

import type { Rankings } from '../../stores/contract/rankings.ts'

interface Placed {
  readonly member: string | null
  readonly pos: string
}

export function createSharedRankings(): Rankings {
  const keys = new Map<string, Map<string, Placed>>()

  function of(key: string): Map<string, Placed> {
    const found = keys.get(key) ?? new Map<string, Placed>()
    keys.set(key, found)
    return found
  }

  function members(key: string): string[] {
    return [...(keys.get(key)?.values() ?? [])].flatMap(({ member }) => member ?? []).sort()
  }

  const before = (key: string, member: string) => members(key).filter((one) => one < member).length

  function rank(key: string, member: string): number | null {
    const place = members(key).indexOf(member)
    return place < 0 ? null : place
  }

  return {
    async put(changes) {
      for (const { key, id, after, pos } of changes) {
        const known = of(key).get(id)
        if (known === undefined || known.pos < pos) of(key).set(id, { member: after, pos })
      }
    },
    // Shared rankings are not filled again by each node that starts: other nodes are writing them.
    load: async () => {},
    drop: async (key) => void keys.delete(key),
    size: async (key) => members(key).length,
    before: async (key, member) => before(key, member),
    rank: async (key, member) => rank(key, member),
    range: async (key, offset, limit) => members(key).slice(offset, offset + limit),
    async around(key, member, limit) {
      const place = rank(key, member)
      if (place === null) return null
      const all = members(key)
      const offset = Math.max(0, Math.min(place - Math.floor(limit / 2), all.length - limit))
      return { rank: place, size: all.length, offset, members: all.slice(offset, offset + limit) }
    },
  }
}
