// Seeded histories on the three servers, judged by the same oracle: `SIM_SEED=<seed> npx mocha --exit
// test/simulation/simulation.servers.ts` tries the same again and prints what happened; more of them in `npm run proof`.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { endSharedServers } from '../servers/places.ts'
import { proveSimulation } from './prove-simulation.ts'
import { runHistory } from './run-history.ts'
import { SERVERS } from './world/on-servers.ts'

/** One node and two, with nothing going wrong and with a lot, about people, files, boards and everything. */
const HISTORIES = 4
const FIRST_SEED = 308
const STEPS_LEAST = 500

const asked = process.env.SIM_SEED

describe('simulation on servers', () => {
  after(endSharedServers)

  if (asked === undefined) {
    it(`finds nothing lost, nothing doubled and live equal to rebuilt in ${HISTORIES} histories`, async () => {
      const { failed, steps } = await proveSimulation({ histories: HISTORIES, firstSeed: FIRST_SEED, course: SERVERS })
      expect(failed).to.deep.equal([])
      expect(steps).to.be.greaterThan(HISTORIES * STEPS_LEAST)
    }).timeout(BUILD_TIMEOUT_MS)
  } else {
    it(`finds nothing wrong in the history of seed ${asked}`, async () => {
      const { defects, trace } = await runHistory(Number(asked), SERVERS)
      console.log(trace.join('\n'))
      expect(defects).to.deep.equal([])
    }).timeout(BUILD_TIMEOUT_MS)
  }
})
