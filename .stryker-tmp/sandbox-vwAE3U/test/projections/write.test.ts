// The order in which a view's rankings and documents are written.

import { expect } from 'chai'
import { partitionOf } from '../../domain/partition.ts'
import { write } from '../../projections/write.ts'
import { createRankings } from '../../stores/embedded/rankings.ts'
import { gate } from '../until.ts'

const PARTITION = partitionOf('g')

describe('writing what a view has taken', () => {
  it('leaves rankings as they are until the documents can be committed at once, and then writes them first', async () => {
    const rankings = createRankings()
    const own = rankings.of('entries', PARTITION)
    await (await own.beginFill('entries')).finish(null, (async function* () {})())
    const { opened, open } = gate()
    const seen: (readonly [string, number])[] = []
    const look = async (when: string) => seen.push([when, await own.size('b.1')])
    const views = {
      ready: async () => {
        await look('before the views are ready')
        await opened
        await look('when the views are ready')
      },
      commit: async () => {
        await look('at the commit')
      },
    }
    const change = { key: 'b.1', before: [], after: 'member', pos: '1' }
    const batch = { view: 'entries', writes: [], checkpoints: new Map() }
    const written = write({ views, rankings }, { batch, rankings: new Map([[PARTITION, [change]]]) })
    await new Promise((next) => setImmediate(next))
    expect(await own.size('b.1')).to.equal(0)
    open()
    await written
    expect(seen).to.deep.equal([
      ['before the views are ready', 0],
      ['when the views are ready', 0],
      ['at the commit', 1],
    ])
  })
})
