// Beginning uploads on one bucket of one node, 64 calls in flight, none of them ever completed: each reserves room in the one
// quota stream, so that what is open already is what may make the next one dear. The rate is by the processor time of the
// server; that by the clock, which other work on the machine slows, stands beside it.

import { openCabinet } from './cabinet.ts'
import { freshServer } from './fresh.ts'
import { cpuSecondsOf, inTurn, median, ownCpuSeconds, type Size } from './measure.ts'
import { type Loader, startLoader } from './processes.ts'
import { begunInProcess } from './quota.ts'
import type { BenchRow } from './row.ts'
import { cheapEnough } from './verdict.ts'

const IN_FLIGHT = 64
const REQUESTS = 4_000
const GOAL_A_SECOND = 1_000
const FEW = 1_000
const MANY = 500_000
const STEPS = 5_000

export async function benchUploads(size: Size): Promise<BenchRow[]> {
  const loader = startLoader()
  try {
    return [await beginning(loader, size), await growing(size)]
  } finally {
    await loader.stop()
  }
}

async function beginning(loader: Loader, size: Size): Promise<BenchRow> {
  const fresh = await freshServer()
  const { pid, port } = fresh.server
  const count = size.quick ? REQUESTS / 2 : REQUESTS
  const seconds: number[] = []
  try {
    const { begins } = await openCabinet(fresh, loader)
    const { costs } = await inTurn(size.rounds, {
      costs: async () => {
        const requests = begins(count, 1_000)
        const before = cpuSecondsOf(pid)
        const { ms } = await loader.load({ port, connections: IN_FLIGHT, requests })
        seconds.push(ms / 1_000 / count)
        return (cpuSecondsOf(pid) - before) / count
      },
    })
    const rate = 1 / median(costs)
    return {
      what: `begin uploads, one bucket, durable, HTTP, ${IN_FLIGHT} in flight`,
      limit: `${GOAL_A_SECOND.toLocaleString('en')} /s`,
      ours: `${whole(rate)} /cpu s (${whole(1 / median(seconds))} /s)`,
      ratio: (rate / GOAL_A_SECOND).toFixed(3),
      goal: '≥ 1',
      met: rate >= GOAL_A_SECOND,
    }
  } finally {
    await fresh.stop()
  }
}

/** What one more costs the quota where many are open, beside where few are. */
async function growing(size: Size): Promise<BenchRow> {
  const [few, many] = [begunInProcess(FEW), begunInProcess(MANY)]
  const costs = await inTurn(size.rounds, {
    few: async () => (await ownCpuSeconds(async () => few(STEPS))) / STEPS,
    many: async () => (await ownCpuSeconds(async () => many(STEPS))) / STEPS,
  })
  const what = `reserve an upload, ${MANY.toLocaleString('en')} open / ${FEW.toLocaleString('en')} open, in process`
  return cheapEnough({ what, limit: costs.few, ours: costs.many }, 2)
}

const whole = (rate: number): string => Math.round(rate).toLocaleString('en')
