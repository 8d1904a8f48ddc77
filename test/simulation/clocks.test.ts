// Seeded histories as in simulation.test.ts, in which clocks of nodes are set forward and back by up to 50 minutes.
// `SIM_SEED=<seed> npx mocha test/simulation/clocks.test.ts` replays one and prints its trace.

import { FAILED_SEEDS } from '../failed-seeds.ts'
import { SEED, sized } from '../seeds.ts'
import { playSeeds, seedsOf } from './play-seeds.ts'
import { SETTING_CLOCKS } from './run-history.ts'

const given = process.env.SIM_SEED
const seeds =
  given === undefined
    ? [
        ...sized<readonly number[]>([], FAILED_SEEDS.clocks),
        ...seedsOf({ firstSeed: sized(1, SEED), histories: sized(10, 20), long: sized(0, 1) }),
      ]
    : [Number(given)]

describe('a simulated history in which clocks are set', () => {
  it(`loses nothing, duplicates nothing and matches a rebuild, for ${seeds.length} seeds`, async function () {
    this.timeout(1_200_000)
    await playSeeds(seeds, given !== undefined, SETTING_CLOCKS)
  })
})
