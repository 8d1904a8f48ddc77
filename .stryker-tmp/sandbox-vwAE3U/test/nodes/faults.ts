// What befalls nodes side by side: each fault is brought about, measured until what is
// written is read back, and made good.

import { LEASE_MS } from '../../stores/contract/leases.ts'
import { emptied } from '../crash/store-faults.ts'
import type { Random } from '../random.ts'
import { pause } from '../until.ts'
import { untilHeldBy } from './held-by.ts'
import type { SideBySide } from './side-by-side.ts'

/** Times are milliseconds from a moment of `performance.now()`. */
interface Measure {
  /** Notes how long it takes until what is written from now on is read back everywhere. */
  back(fromMs: number): Promise<void>
  /** Notes when all partitions were held by projectors that live. */
  moved(afterMs: number): void
  /** Notes how long a process took to stop after SIGTERM, and that it stopped cleanly. */
  stopped(exit: { readonly code: number | null; readonly ms: number }): void
}

type Suffer = (nodes: SideBySide, random: Random, measure: Measure) => Promise<void>

const LOG_FROZEN_MS = 4_000
const LOG_NOT_READY_MS = 800
/** Past its lease by more than a beat, so that others have taken over all that it held. */
const PROJECTOR_FROZEN_MS = LEASE_MS + 3_000

export const FAULTS = {
  'projector killed': async (nodes, random, measure) => {
    const killed = random.pick(nodes.projectors)
    nodes.projectors.splice(nodes.projectors.indexOf(killed), 1)
    const begun = performance.now()
    killed.signal('SIGKILL')
    await Promise.all([measure.back(begun), untilMoved(nodes, nodes.projectors.length, begun, measure)])
    await killed.exited
    await nodes.startProjector()
  },
  'projector frozen, then woken': async (nodes, random, measure) => {
    const frozen = random.pick(nodes.projectors)
    const begun = performance.now()
    frozen.signal('SIGSTOP')
    try {
      await Promise.all([measure.back(begun), untilMoved(nodes, nodes.projectors.length - 1, begun, measure)])
      await pause(PROJECTOR_FROZEN_MS - (performance.now() - begun))
      frozen.signal('SIGCONT')
      await measure.back(performance.now())
    } finally {
      frozen.signal('SIGCONT')
    }
  },
  'API node killed': async (nodes, random, measure) => {
    const api = random.pick(nodes.apis)
    await api.kill()
    await api.begin()
    await measure.back(performance.now())
  },
  'each process stopped in turn': async (nodes, _random, measure) => {
    for (const api of nodes.apis) {
      measure.stopped(await api.stop())
      await api.begin()
      await measure.back(performance.now())
    }
    for (const projector of [...nodes.projectors]) {
      nodes.projectors.splice(nodes.projectors.indexOf(projector), 1)
      const begun = performance.now()
      const exited = projector.exited.then(({ code }) => ({ code, ms: Math.round(performance.now() - begun) }))
      projector.signal('SIGTERM')
      await measure.back(begun)
      measure.stopped(await exited)
      await nodes.startProjector()
    }
  },
  'Redis restarted': async ({ redis }, _random, measure) => {
    await redis.restart()
    await measure.back(performance.now())
  },
  'Redis killed': async ({ redis }, _random, measure) => {
    await redis.kill()
    await redis.start()
    await measure.back(performance.now())
  },
  'Redis emptied': async ({ redis }, _random, measure) => {
    await emptied(redis)
    await measure.back(performance.now())
  },
  'log frozen': async ({ eventStore }, _random, measure) => {
    eventStore.freeze()
    await pause(LOG_FROZEN_MS)
    eventStore.thaw()
    await measure.back(performance.now())
  },
  'log cut off': async ({ eventStore }, _random, measure) => {
    eventStore.cut()
    await measure.back(performance.now())
  },
  'log restarted': async ({ eventStore }, _random, measure) => {
    await eventStore.restart({ notReadyMs: LOG_NOT_READY_MS })
    await measure.back(performance.now())
  },
} as const satisfies Record<string, Suffer>

export type Fault = keyof typeof FAULTS

async function untilMoved({ places }: SideBySide, live: number, fromMs: number, measure: Measure): Promise<void> {
  await untilHeldBy(places, live)
  measure.moved(Math.round(performance.now() - fromMs))
}
