// A projection run that ends while documents are loaded: its changes are not written, because another process may have
// continued meanwhile.

import { expect } from 'chai'
import { ALL_PARTITIONS } from '../../domain/partition.ts'
import { run } from '../../projections/run.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'
import { prepareWorld } from './prepare-world.ts'
import { appendTexts, caughtUp, runWorld, texts } from './run-world.ts'

describe('a projection run that ends while documents are loaded', () => {
  it('writes none of its changes', async () => {
    const [log, views] = [createMemoryLog(), createMemoryViews()]
    const [changed, ending] = [new AbortController(), new AbortController()]
    const committed: string[] = []
    let isEnding = false
    const world = runWorld([texts], {
      log,
      views: {
        ...views,
        get: async (...args) => {
          if (isEnding) changed.abort()
          return views.get(...args)
        },
        commit: async (batches) => {
          committed.push(...batches.flatMap(({ writes }) => writes.map(({ id }) => id)))
          await views.commit(batches)
        },
      },
    })
    await prepareWorld(world)
    await appendTexts(log, 'first', 'g1', 'heard')
    const partitions = new Set(ALL_PARTITIONS)
    const owned = { partitions, changed: changed.signal }
    const ownership = {
      now: () => {
        if (!changed.signal.aborted) return owned
        ending.abort()
        return { partitions: new Set<number>(), changed: ending.signal }
      },
    }
    const running = run(world.deps, world.appliers, ownership, ending.signal)
    await caughtUp(world)
    isEnding = true
    await appendTexts(log, 'second', 'g1', 'not written')
    await running
    expect(committed).to.deep.equal(['first'])
    expect(world.reports.reopened).to.deep.equal([])
  })
})
