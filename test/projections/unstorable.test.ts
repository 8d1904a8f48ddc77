// An event that leads to a document that no store accepts is parked with its stream, and the view continues. Such an
// event can be in an imported log; if only the write detected it, no start would ever finish.

import { expect } from 'chai'
import type { Projection } from '../../projections/projection.ts'
import { createMemoryLog } from '../memory/log.ts'
import { prepareWorld } from './prepare-world.ts'
import { bodies, runToEnd, runWorld, saidEvent } from './run-world.ts'

const odd: Projection = {
  name: 'odd',
  version: 1,
  collections: [{ name: 'odd', indexes: { by: ['by', '-at'] } }],
  takes: ['Said'],
  query: ({ data }) => [{ collection: 'odd', index: 'by', equal: [data.by as string], limit: 0 }],
  needs: ({ data }) => [['odd', data.id as string]],
  handle({ data: { id, by, at = 0 } }, docs) {
    docs.put('odd', id as string, { by: by ?? null, at: at === 'no date' ? Date.parse(at) : at })
  },
}

describe('an event that leads to a document that no store accepts', () => {
  it('is parked, while all other events are applied', async () => {
    const log = createMemoryLog()
    const world = runWorld([odd], { log })
    await prepareWorld(world)
    const wrong = [{ id: 'a b' }, { id: '\u0001' }, { id: '' }, { id: { a: 1 } }, { id: 7 }, {}]
    const unindexed = [{ by: { a: 1 } }, { by: [1] }, { by: true }, { at: {} }, { at: 'no date' }].map((one) => ({
      id: 'x',
      ...one,
    }))
    const all = [{ id: 'first', by: 'me' }, ...wrong, ...unindexed, { id: 'last', by: 3 }]
    for (const [n, data] of all.entries()) await log.append(`s-${n}`, 'none', [{ ...saidEvent(''), data }])
    await runToEnd(world)
    expect(world.reports.parked).to.deep.equal([...wrong, ...unindexed].map((_, n) => `odd@1 s-${n + 1} 0`))
    expect(world.reports.reopened).to.deep.equal([])
    expect(await bodies(world.deps.views, 'odd@1', 'odd')).to.deep.equal({
      first: { by: 'me', at: 0 },
      last: { by: 3, at: 0 },
    })
  })
})
