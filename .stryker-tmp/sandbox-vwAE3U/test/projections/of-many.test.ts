// Which writes a view marks as part of a large change, which the store may buffer and lose in a crash.

import { expect } from 'chai'
import { entries } from '../../projections/entries.ts'
import { createMemoryLog } from '../memory/log.ts'
import { rulesOf } from '../rules.ts'
import { AT_ONCE, BANNED, BEFORE, begun, freshOn, type Stores, score, type Told, tell } from './found-world.ts'
import { startViews } from './started.ts'

/** What is written of entries as these events come, one by one: how many, and whether they are a part. */
async function written(stores: Stores, ...told: readonly Told[]) {
  const noted: (readonly [count: number, isOfMany: boolean])[] = []
  const views: Stores['views'] = {
    ...stores.views,
    commit: async (batches) => {
      for (const { writes, ofMany } of batches) {
        const count = writes.filter(({ collection }) => collection === 'entries').length
        if (count > 0) noted.push([count, ofMany === true])
      }
      await stores.views.commit(batches)
    },
  }
  for (const one of told) {
    await tell(stores.log, [one])
    await startViews(begun({ ...stores, views }, AT_ONCE, [entries]))
  }
  return noted
}

const ofBoard = (type: string, data: Told[2]): Told => {
  return ['board-b1', type, { change: 'c1', generation: 2, ...data }, { board: 'b1' }]
}

/** Of the second player's submissions, which come after all of the first one's. */
const place = (revision: number) => ({ stream: 'lb_b1-p2', revision })

describe('the writes that are marked as part of a large change', () => {
  it('are all pages but the last of an event’s query, and no submission', async () => {
    const stores = freshOn(createMemoryLog())
    await tell(stores.log, BEFORE)
    await startViews(begun(stores, AT_ONCE, [entries]))
    expect(await written(stores, score('b1', 'p1', 'more', 6))).to.deep.equal([[1, false]])
    const pages = await written(stores, BANNED)
    const [last] = pages.slice(-1)
    expect(pages.slice(0, -1)).to.deep.equal(pages.slice(0, -1).map(() => [AT_ONCE, true]))
    expect(pages).to.have.lengthOf.above(2)
    expect(last?.[1]).to.equal(false)
  })

  it('are ranges of a generation that is built, folded or event by event', async () => {
    for (const unique of [true, false]) {
      const stores = freshOn(createMemoryLog())
      await tell(stores.log, BEFORE)
      await startViews(begun(stores, AT_ONCE, [entries]))
      const [upTo, asOf] = [place(0), place(6)]
      const slice = { after: null, upTo, events: 8, total: 14, ...(unique ? { asOf } : {}) }
      const noted = await written(
        stores,
        ofBoard('LeaderboardRulesRequested', { rules: rulesOf(unique) }),
        ofBoard('LeaderboardSliceBuilt', slice),
      )
      expect(noted).to.deep.equal([[unique ? 1 : 8, true]])
    }
  })
})
