// Rankings in this process, beside documents that bring none: one ordered set of sort keys for each key, filled from
// the documents.

import type { Position } from '../../domain/event.ts'
import { SortedBlocks } from '../../ranking/sorted-blocks.ts'
import {
  type AllRankings,
  type Fill,
  FillBroken,
  type FilledRanking,
  type RankingChange,
  type Rankings,
  RankingsLost,
} from '../../stores/contract/rankings.ts'
import { readsOf } from '../../stores/embedded/rankings-of-views.ts'

interface Ranking {
  readonly sortKeys: SortedBlocks
  /** Position of the last applied change. */
  lastPos: Position
}

/** The rankings with the position that they were filled at ('' for an empty log). */
interface Filled {
  readonly name: string
  readonly at: Position
  readonly keys: Map<string, Ranking>
}

interface SetOfRankings extends Rankings {
  drop(): void
}

export function createRankings(): AllRankings {
  const views = new Map<string, Map<number, SetOfRankings>>()
  return {
    putMax: Number.POSITIVE_INFINITY,
    of(view, partition) {
      const sets = views.get(view) ?? new Map<number, SetOfRankings>()
      const set = sets.get(partition) ?? createSet()
      views.set(view, sets.set(partition, set))
      return set
    },
    async drop(view) {
      for (const set of views.get(view)?.values() ?? []) set.drop()
    },
  }
}

function createSet(): SetOfRankings {
  let filled: Filled | null = null
  /** The current fill, and whether it has begun to read documents; null if there is none. */
  let filling: { isReading: boolean } | null = null

  function requireFilled(): Filled {
    if (filled === null) throw new RankingsLost()
    return filled
  }

  function drop(): void {
    filled = null
    filling = null
  }

  async function beginFill(name: string): Promise<Fill> {
    const own = { isReading: false }
    filled = null
    filling = own
    return {
      async finish(at, rankings) {
        own.isReading = true
        const keys = await read(at ?? '', rankings)
        if (filling !== own) throw new FillBroken('another fill began meanwhile')
        filled = { name, at: at ?? '', keys }
        filling = null
      },
    }
  }

  async function put(changes: readonly RankingChange[]): Promise<void> {
    if (filling?.isReading === false) return
    applyChanges(requireFilled(), changes)
  }

  return {
    isFilled: async (name) => filled?.name === name,
    isCurrent: async () => filled !== null,
    beginFill,
    drop,
    put,
    ...readsOf((key) => requireFilled().keys.get(key)?.sortKeys),
    lastApplied: async (key) => requireFilled().keys.get(key)?.lastPos ?? '',
  }
}

/** Changes are ordered by document, so an older one may follow a newer one of the same key. */
function applyChanges({ keys, at }: Filled, changes: readonly RankingChange[]): void {
  const marks = new Map<Ranking, Position>()
  for (const { key, before, after, pos } of changes) {
    let ranking = keys.get(key)
    if (ranking === undefined) {
      ranking = { sortKeys: new SortedBlocks(), lastPos: at }
      keys.set(key, ranking)
    }
    // Compare with the position before this call.
    if (pos < ranking.lastPos) continue
    for (const sortKey of before) ranking.sortKeys.remove(sortKey)
    if (after !== null) ranking.sortKeys.add(after)
    if (pos > (marks.get(ranking) ?? '')) marks.set(ranking, pos)
  }
  for (const [ranking, lastPos] of marks) ranking.lastPos = lastPos
}

async function read(lastPos: Position, rankings: AsyncIterable<FilledRanking>): Promise<Map<string, Ranking>> {
  const keys = new Map<string, Ranking>()
  for await (const { key, sortKeys: batches } of rankings) {
    const sortKeys = new SortedBlocks()
    for await (const batch of batches) sortKeys.addLast(batch)
    keys.set(key, { sortKeys, lastPos })
  }
  return keys
}
