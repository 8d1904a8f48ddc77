// The progress of a view build, as reported while it runs: of the stored views and of the active ones.

import { expect } from 'chai'
import { ALL_VIEWS } from '../../projections/all.ts'
import { withActiveBuilds } from '../../projections/builds/active-builds.ts'
import { startComparing } from '../../projections/builds/state.ts'
import { keys } from '../../projections/keys.ts'
import { players } from '../../projections/players.ts'
import { type Projection, viewKey, viewSpec } from '../../projections/projection.ts'
import { createBuildOrders } from '../../server/node/build-orders.ts'
import { createNodeBuilds } from '../../server/node/builds.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'

const [QUARTER, HALF, HEAD] = ['0000000000000010', '0000000000000020', '0000000000000040']

describe('the progress of a view build', () => {
  it('reports the share of the log that the slowest of its views and partitions has applied', async () => {
    const views = createMemoryViews()
    const log = { ...createMemoryLog(), head: async () => HEAD }
    const own = { views, log, history: log, rankings: createRankings() }
    const builds = await createNodeBuilds(views, ALL_VIEWS)
    const both = [own, withActiveBuilds(own, builds.keyOf)].map((stores) => createBuildOrders(stores, () => 0))
    const shares = () => Promise.all(both.map(async ({ status }) => (await status()).share))
    const reached = async (projection: Projection, ...positions: string[]) => {
      const view = { ...projection, build: 1 }
      await views.prepare(viewSpec(view))
      const checkpoints = new Map(positions.map((position, partition) => [partition, { position, eventId: '' }]))
      await views.commit([{ view: viewKey(view), writes: [], checkpoints }])
    }

    expect(await shares()).to.deep.equal([null, null])
    await both[0]?.ask(['keys', 'players'])
    expect(await shares()).to.deep.equal([0, 0])
    await reached(keys, HALF, QUARTER)
    expect(await shares()).to.deep.equal([0, 0])
    await reached(players, HEAD, HEAD)
    expect(await shares()).to.deep.equal([0.25, 0.25])
    await builds.pointer.change(startComparing(1))
    expect(await shares()).to.deep.equal([1, 1])
  })
})
