// The order in which a view's rankings and documents are written.

import { expect } from 'chai'
import { unsafeCast } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import { write } from '../../projections/write.ts'
import type { Batch } from '../../stores/contract/views.ts'
import { createRankings } from '../memory/rankings-in-process.ts'

const PARTITION = partitionOf('g')

describe('writing the changes of a view', () => {
  it('writes rankings before documents', async () => {
    const rankings = createRankings()
    const own = rankings.of('entries', PARTITION)
    await (await own.beginFill('entries')).finish(null, (async function* () {})())
    const sizes: number[] = []
    const views = { commit: async () => void sizes.push(await own.size('b.1')) }
    const change = { key: 'b.1', before: [], after: 'member', pos: '1' }
    const batch = { view: 'entries', writes: [], checkpoints: new Map() }
    await write({ views, rankings }, { batch, rankings: new Map([[PARTITION, [change]]]) })
    expect(sizes).to.deep.equal([1])
  })

  it('calls no store for a view without changes', async () => {
    const committed: string[] = []
    const views = {
      commit: async (batches: readonly Batch[]) => void committed.push(...batches.map(({ view }) => view)),
    }
    const changesOf = (view: string, checkpoints: Batch['checkpoints']) => {
      return { batch: { view, writes: [], checkpoints }, rankings: new Map() }
    }
    const rankings = createRankings()
    await write({ views, rankings }, changesOf('entries', new Map()))
    expect(committed).to.deep.equal([])
    const reached = new Map([[PARTITION, { position: '1', events: 1 }]])
    await write({ views, rankings }, changesOf('entries', new Map()), changesOf('files', unsafeCast(reached)))
    expect(committed).to.deep.equal(['files'])
  })
})
