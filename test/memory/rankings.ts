// Rankings in memory that several processes share, like those of a server, which may lose them. Each process has a
// handle.

import { type AllRankings, FillBroken, type Rankings, RankingsLost } from '../../stores/contract/rankings.ts'
import { createRankings } from './rankings-in-process.ts'

export interface SharedRankings {
  /** The rankings as one process sees them. */
  handle(): AllRankings
  /** Loses everything, including running fills. */
  lose(): void
}

export function createSharedRankings(): SharedRankings {
  let kept = createRankings()
  let fillCount = 0
  /** Set -> the newest fill. */
  const fills = new Map<string, number>()
  const lose = () => {
    kept = createRankings()
    fills.clear()
  }

  function setOf(view: string, partition: number): Rankings {
    const name = `${view}/${partition}`
    const inner = () => kept.of(view, partition)
    let target: number | undefined
    const isTheLast = () => target !== undefined && fills.get(name) === target
    return {
      isFilled: async (as) => {
        if (!(await inner().isFilled(as))) return false
        target = fills.get(name)
        return true
      },
      isCurrent: async () => isTheLast() && (await inner().isCurrent()),
      beginFill: async (as) => {
        const own = ++fillCount
        fills.set(name, own)
        target = own
        const fill = await inner().beginFill(as)
        return {
          finish: async (at, rankings) => {
            await fill.finish(at, rankings)
            if (fills.get(name) !== own) throw new FillBroken('they were lost meanwhile')
          },
        }
      },
      put: async (changes) => {
        if (!isTheLast()) throw new RankingsLost()
        await inner().put(changes)
      },
      size: (key) => inner().size(key),
      before: (key, sortKey) => inner().before(key, sortKey),
      ranks: (key, sortKeys) => inner().ranks(key, sortKeys),
      range: (key, offset, limit) => inner().range(key, offset, limit),
      around: (key, sortKey, limit) => inner().around(key, sortKey, limit),
      lastApplied: (key) => inner().lastApplied(key),
    }
  }

  function handle(): AllRankings {
    const sets = new Map<string, Rankings>()
    return {
      putMax: kept.putMax,
      of(view, partition) {
        const set = sets.get(`${view}/${partition}`) ?? setOf(view, partition)
        sets.set(`${view}/${partition}`, set)
        return set
      },
      async drop(view) {
        for (const name of fills.keys()) if (name.startsWith(`${view}/`)) fills.delete(name)
        await kept.drop(view)
      },
    }
  }

  return { handle, lose }
}
