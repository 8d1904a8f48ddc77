// Further seeds of the histories in simulation.test.ts.

import { SEED } from '../seeds.ts'
import { expectRebuilds, playSeeds, seedsOf } from './play-seeds.ts'

/** Far from the seeds of simulation.test.ts. */
const SEEDS_APART = 1_000

const seeds = seedsOf({ firstSeed: SEED + SEEDS_APART, histories: 100, long: 2 })

describe('further simulated histories', () => {
  it(`lose nothing, duplicate nothing and match a rebuild, for ${seeds.length} seeds`, async function () {
    this.timeout(1_200_000)
    expectRebuilds(await playSeeds(seeds))
  })
})
