// Seeded histories of the whole system below HTTP, with faults and crashes. `SIM_SEED=<seed> npx mocha test/simulation`
// plays one history again and prints what happened in it.
//
// The way through this folder: run-history.ts plays and judges the history of a seed; history.ts is one history.
//   world/    what a history happens in: stores, time, nodes, what goes wrong on purpose; in memory or on the three servers
//   callers/  what is sent, a file per area; commands.ts lists it and says how to add to it
//   model/    what a reader of the specification would keep on paper: it shares no code with what it judges
//   broken-writes.ts: what histories recorded, applied again by processes whose writes break off
//   oracle/   the judgement of a history at rest, by the model and by read models rebuilt from nothing

import { expect } from 'chai'
import { runHistory } from './run-history.ts'
import { isLong } from './world/in-memory.ts'
import { BECAME } from './world/rebuilding.ts'

const HISTORIES = 200
/** So many of them are long ones, each of which takes as long as many others: the proof plays those as they come. */
const LONG_HISTORIES = 3
/** Of a failed history, the last steps. */
const TRACE_SHOWN = 300
const FIRST_SEED = 1

const asked = process.env.SIM_SEED
const seeds = asked === undefined ? firstSeeds() : [Number(asked)]

function firstSeeds(): number[] {
  const inTurn = Array.from({ length: 2 * HISTORIES }, (_, i) => FIRST_SEED + i)
  const long = inTurn.filter(isLong).slice(0, LONG_HISTORIES)
  return [...long, ...inTurn.filter((seed) => !isLong(seed)).slice(0, HISTORIES - long.length)]
}

describe('simulation', () => {
  it(`finds nothing lost, nothing doubled and live equal to rebuilt in ${seeds.length} histories`, async function () {
    this.timeout(1_200_000)
    const became = new Map<string, number>()
    for (const seed of seeds) {
      const { defects, trace } = await runHistory(seed)
      for (const line of trace) if (line.startsWith(BECAME)) became.set(line, (became.get(line) ?? 0) + 1)
      if (asked !== undefined) console.log(trace.join('\n'))
      if (defects.length > 0) {
        const told = [...trace.slice(-TRACE_SHOWN), '', ...defects, '', `SIM_SEED=${seed} npx mocha test/simulation`]
        throw new Error(`seed ${seed}\n${told.join('\n')}`)
      }
    }
    // Otherwise no whole view was rebuilt meanwhile.
    if (asked === undefined) {
      for (const outcome of ['switched', 'taken_back', 'cancelled']) {
        expect(became.get(`${BECAME} ${outcome}`), outcome).to.be.greaterThan(2)
      }
    }
  })

  it('plays the same history again from the same seed', async () => {
    const [first, again, other] = [await runHistory(11), await runHistory(11), await runHistory(12)]
    expect(first.trace.length).to.be.greaterThan(100)
    expect(again.trace).to.deep.equal(first.trace)
    expect(other.trace).to.not.deep.equal(first.trace)
  })
})
