// Seeded histories as in simulation.test.ts, of leaderboards with seasons, which end, are closed and change their
// schedules. `SIM_SEED=<seed> npx mocha test/simulation/seasons.test.ts` replays one and prints its trace.

import { SEED, sized } from '../seeds.ts'
import { playSeeds, seedsOf } from './play-seeds.ts'
import { WITH_SEASONS } from './run-history.ts'

const given = process.env.SIM_SEED
const seeds =
  given === undefined ? seedsOf({ firstSeed: sized(1, SEED), histories: sized(10, 20), long: 0 }) : [Number(given)]

describe('a simulated history of leaderboards with seasons', () => {
  it(`loses nothing, duplicates nothing and matches the model, for ${seeds.length} seeds`, async function () {
    this.timeout(1_200_000)
    await playSeeds(seeds, given !== undefined, WITH_SEASONS)
  })
})
