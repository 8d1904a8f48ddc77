// Seeded histories on the three servers, judged by the same oracle. `SIM_SEED=<seed> npx mocha --exit
// test/simulation/simulation.servers.ts` repeats one seed and prints its trace; `npm run proof` runs more of them.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { endSharedServers } from '../servers/store-urls.ts'
import { proveSimulation } from './prove-simulation.ts'
import { runHistory } from './run-history.ts'
import { SERVERS } from './world/on-servers.ts'

/** They cover one node and two, calm and harsh histories, and the themes people, files, boards and everything. */
const HISTORIES = 4
const FIRST_SEED = 308
const STEPS_LEAST = 500

const asked = process.env.SIM_SEED

describe('a simulated history on servers', () => {
  after(endSharedServers)

  if (asked === undefined) {
    it(`loses nothing, duplicates nothing and matches a rebuild, for ${HISTORIES} seeds`, async () => {
      const { failed, steps } = await proveSimulation({ histories: HISTORIES, firstSeed: FIRST_SEED, course: SERVERS })
      expect(failed).to.deep.equal([])
      expect(steps).to.be.greaterThan(HISTORIES * STEPS_LEAST)
    }).timeout(BUILD_TIMEOUT_MS)
  } else {
    it(`has no defect for seed ${asked}`, async () => {
      const { defects, trace } = await runHistory(Number(asked), SERVERS)
      console.log(trace.join('\n'))
      expect(defects).to.deep.equal([])
    }).timeout(BUILD_TIMEOUT_MS)
  }
})
