// Begins uploads on one bucket of one node, 64 calls in flight, and completes none. All reservations are in one quota
// stream, so open ones may make the next one expensive. The rate is by the server's processor time; the rate by the
// clock is printed, too.

import { NEW_BUCKET } from '../domain/bucket.ts'
import type { Decision } from '../domain/decider.ts'
import { type QuotaEvent, quota } from '../domain/quota.ts'
import type { Quota } from '../domain/quota-state.ts'
import { beginUpload, releaseUpload } from '../domain/reserve.ts'
import { openBucket } from './support/bucket.ts'
import { freshServer } from './support/fresh-server.ts'
import { cpuSecondsOf, inTurn, median, ownCpuSeconds, type Size } from './support/measure.ts'
import { type Loader, startLoader } from './support/processes.ts'
import { type BenchRow, cheapEnough } from './support/row.ts'

const ENOUGH = 2 ** 50
const LIMITS = { ...NEW_BUCKET, maxBytes: ENOUGH, maxFiles: ENOUGH, playerMaxBytes: ENOUGH, playerMaxFiles: ENOUGH }
const TIME = '2026-01-01T00:00:00.000Z'
const PLAYERS = 1_000
const IN_FLIGHT = 64
const REQUESTS = 4_000
const GOAL_A_SECOND = 1_000
const FEW = 1_000
const MANY = 500_000
const STEPS = 5_000

export async function benchBeginUpload(size: Size): Promise<BenchRow[]> {
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
    const { begins } = await openBucket(fresh, loader)
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

/** The cost of one more upload in the quota with many open ones, relative to few. */
async function growing(size: Size): Promise<BenchRow> {
  const [few, many] = [begunInProcess(FEW), begunInProcess(MANY)]
  const costs = await inTurn(size.rounds, {
    few: async () => (await ownCpuSeconds(async () => few(STEPS))) / STEPS,
    many: async () => (await ownCpuSeconds(async () => many(STEPS))) / STEPS,
  })
  const what = `reserve an upload, ${MANY.toLocaleString('en')} open / ${FEW.toLocaleString('en')} open, in process`
  return cheapEnough({ what, limit: costs.few, ours: costs.many }, 2)
}

/** Repeatedly begins an upload and releases the oldest one, so that their number is constant. */
function begunInProcess(open: number): (steps: number) => void {
  let state: Quota = quota.initial
  let started = 0
  const taken = (decision: Decision<Quota, QuotaEvent>) => {
    for (const event of decision(state, started)) state = quota.evolve(state, event, { revision: started, time: TIME })
  }
  const begin = () => {
    const fresh = { upload: `upload ${started}`, owner: `player ${started % PLAYERS}`, bytes: 1_000, files: 1 }
    taken(beginUpload({ ...fresh, size: 1_000, expires: TIME }, LIMITS))
    started++
  }
  while (started < open) begin()
  return (steps) => {
    for (let step = 0; step < steps; step++) {
      begin()
      taken(releaseUpload(`upload ${started - open - 1}`))
    }
  }
}

const whole = (rate: number): string => Math.round(rate).toLocaleString('en')
