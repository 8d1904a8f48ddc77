// The sizes of the commits of a large change.

import { expect } from 'chai'
import { entries } from '../../projections/entries.ts'
import { createMemoryLog } from '../memory/log.ts'
import { rulesOf } from '../rules.ts'
import {
  appendEvents,
  BANNED,
  BATCH_SIZE,
  BEFORE,
  type EventSpec,
  newStores,
  projectorOn,
  type Stores,
  score,
} from './queried-documents-world.ts'
import { startViews } from './start-views.ts'

/** The numbers of entries in each commit as these events are applied one by one. */
async function written(stores: Stores, ...specs: readonly EventSpec[]) {
  const recorded: number[] = []
  const views: Stores['views'] = {
    ...stores.views,
    commit: async (batches) => {
      for (const { writes } of batches) {
        const count = writes.filter(({ collection }) => collection === 'entries').length
        if (count > 0) recorded.push(count)
      }
      await stores.views.commit(batches)
    },
  }
  for (const one of specs) {
    await appendEvents(stores.log, [one])
    await startViews(projectorOn({ ...stores, views }, BATCH_SIZE, [entries]))
  }
  return recorded
}

const ofBoard = (type: string, data: EventSpec[2]): EventSpec => {
  return ['board-b1', type, { change: 'c1', generation: 2, ...data }, { board: 'b1' }]
}

/** References a submission of the second player; they come after all of the first player. */
const referenceAt = (revision: number) => ({ stream: 'lb_b1-p2', revision })

describe('the commits of a large change', () => {
  it('have the pages of an event’s query, one each, and a submission has one', async () => {
    const stores = newStores(createMemoryLog())
    await appendEvents(stores.log, BEFORE)
    await startViews(projectorOn(stores, BATCH_SIZE, [entries]))
    expect(await written(stores, score('b1', 'p1', 'more', 6))).to.deep.equal([1])
    const pages = await written(stores, BANNED)
    expect(pages.slice(0, -1)).to.deep.equal(pages.slice(0, -1).map(() => BATCH_SIZE))
    expect(pages).to.have.lengthOf.above(2)
  })

  it('have the ranges of a generation that is built, folded or event by event', async () => {
    for (const unique of [true, false]) {
      const stores = newStores(createMemoryLog())
      await appendEvents(stores.log, BEFORE)
      await startViews(projectorOn(stores, BATCH_SIZE, [entries]))
      const [upTo, foldEnd] = [referenceAt(0), referenceAt(6)]
      const slice = { after: null, upTo, events: 8, total: 14, ...(unique ? { asOf: foldEnd } : {}) }
      const recorded = await written(
        stores,
        ofBoard('LeaderboardRulesRequested', { rules: rulesOf(unique) }),
        ofBoard('LeaderboardSliceBuilt', slice),
      )
      expect(recorded).to.deep.equal([unique ? 1 : 8])
    }
  })
})
