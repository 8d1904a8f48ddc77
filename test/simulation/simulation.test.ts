// Seeded histories of the whole system below HTTP, with injected faults and crashes.
// `SIM_SEED=<seed> npx mocha test/simulation/simulation.test.ts` replays one history and prints its trace.
//
// Layout: run-history.ts plays and judges the history of one seed, play-seeds.ts those of many; history.ts is one
// history.
//   world/    stores, time, nodes and fault injection; in memory or on the three servers
//   callers/  simulated commands, one file per area; commands.ts lists them and says how to add one
//   model/    the reference model, written from the specification; it shares no code with what it judges
//   oracle/   judges a finished history against the model and against rebuilt read models
//   clocks.test.ts, seasons.test.ts: histories in which clocks are set, and of leaderboards with seasons
//   broken-writes.ts: applies recorded histories with writes that fail part way

import { expect } from 'chai'
import { FAILED_SEEDS } from '../failed-seeds.ts'
import { IS_FULL, SEED, sized } from '../seeds.ts'
import { expectRebuilds, playSeeds, seedsOf } from './play-seeds.ts'
import { runHistory } from './run-history.ts'

// Long histories take as long as many others, so only a few run here; `npm run proof` does not limit them.
const SOME = { firstSeed: sized(1, SEED), histories: sized(25, 100), long: sized(0, 1) }

const given = process.env.SIM_SEED
const seeds =
  given === undefined ? [...sized<readonly number[]>([], FAILED_SEEDS.simulation), ...seedsOf(SOME)] : [Number(given)]

describe('a simulated history', () => {
  it(`loses nothing, duplicates nothing and matches a rebuild, for ${seeds.length} seeds`, async function () {
    this.timeout(1_200_000)
    const became = await playSeeds(seeds, given !== undefined)
    if (given === undefined && IS_FULL) expectRebuilds(became)
  })

  it('is the same for the same seed', async () => {
    const [first, again, other] = [await runHistory(11), await runHistory(11), await runHistory(12)]
    expect(first.trace.length).to.be.greaterThan(100)
    expect(again.trace).to.deep.equal(first.trace)
    expect(other.trace).to.not.deep.equal(first.trace)
  })
})
