// What the documents of a view that events are applied to are read in.

import { expect } from 'chai'
import { WorkingSet } from '../../projections/working-set.ts'
import { createMemoryViews } from '../memory/views.ts'

describe('the documents that an event needs', () => {
  it('are read a thousand at a time, with a turn of the event loop in between', async () => {
    const views = createMemoryViews()
    await views.prepare({ key: 'v@1', collections: [{ name: 'c', indexes: {} }] })
    const reads: number[] = []
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const get: typeof views.get = (view, collection, ids) => {
      reads.push(ids.length)
      return views.get(view, collection, ids)
    }
    const docs = new WorkingSet({ ...views, get }, 'v@1', undefined, [{ name: 'c', indexes: {} }])
    await docs.load(Array.from({ length: 2_500 }, (_, n) => ['c', `d${n}`] as const))
    isOver = true
    expect(reads).to.deep.equal([1_000, 1_000, 500])
    expect(turns).to.be.greaterThanOrEqual(2)
    expect(docs.get('c', 'd2499')).to.equal(null)
  })
})
