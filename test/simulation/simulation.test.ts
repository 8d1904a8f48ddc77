// Seeded histories of the whole system below HTTP, with injected faults and crashes.
// `SIM_SEED=<seed> npx mocha test/simulation` replays one history and prints its trace.
//
// Layout: run-history.ts plays and judges the history of one seed; history.ts is one history.
//   world/    stores, time, nodes and fault injection; in memory or on the three servers
//   callers/  simulated commands, one file per area; commands.ts lists them and says how to add one
//   model/    the reference model, written from the specification; it shares no code with what it judges
//   oracle/   judges a finished history against the model and against rebuilt read models
//   broken-writes.ts: applies recorded histories with writes that fail part way

import { expect } from 'chai'
import { FAILED_SEEDS } from '../failed-seeds.ts'
import { IS_FULL, SEED, sized } from '../seeds.ts'
import { runHistory } from './run-history.ts'
import { isLong } from './world/in-memory.ts'
import { BECAME } from './world/rebuilding.ts'

const HISTORIES = sized(25, 200)
/** A long history takes as long as many others, so only a few run here; `npm run proof` does not limit them. */
const LONG_HISTORIES = sized(0, 3)
/** How many of the last steps of a failed history are printed. */
const TRACE_SHOWN = 300
const FIRST_SEED = sized(1, SEED)

const asked = process.env.SIM_SEED
const seeds = asked === undefined ? firstSeeds() : [Number(asked)]

function firstSeeds(): number[] {
  const inOrder = Array.from({ length: 2 * HISTORIES }, (_, i) => FIRST_SEED + i)
  const long = inOrder.filter(isLong).slice(0, LONG_HISTORIES)
  const failed = sized([], [...FAILED_SEEDS.simulation])
  return [...failed, ...long, ...inOrder.filter((seed) => !isLong(seed)).slice(0, HISTORIES - long.length)]
}

describe('a simulated history', () => {
  it(`loses nothing, duplicates nothing and matches a rebuild, for ${seeds.length} seeds`, async function () {
    this.timeout(1_200_000)
    const became = new Map<string, number>()
    for (const seed of seeds) {
      const { defects, trace } = await runHistory(seed)
      for (const line of trace) if (line.startsWith(BECAME)) became.set(line, (became.get(line) ?? 0) + 1)
      if (asked !== undefined) console.log(trace.join('\n'))
      if (defects.length > 0) {
        const lines = [...trace.slice(-TRACE_SHOWN), '', ...defects, '', `SIM_SEED=${seed} npx mocha test/simulation`]
        throw new Error(`seed ${seed}\n${lines.join('\n')}`)
      }
    }
    // Guards against a run in which no rebuild of all views happened.
    if (asked === undefined && IS_FULL) {
      for (const outcome of ['switched', 'taken_back', 'cancelled']) {
        expect(became.get(`${BECAME} ${outcome}`), outcome).to.be.greaterThan(2)
      }
    }
  })

  it('is the same for the same seed', async () => {
    const [first, again, other] = [await runHistory(11), await runHistory(11), await runHistory(12)]
    expect(first.trace.length).to.be.greaterThan(100)
    expect(again.trace).to.deep.equal(first.trace)
    expect(other.trace).to.not.deep.equal(first.trace)
  })
})
