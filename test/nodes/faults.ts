// What befalls nodes side by side: each fault is brought about, measured until what is written is read back, and made good.

import { LEASE_MS } from '../../stores/contract/leases.ts'
import { pause } from '../crash/stage.ts'
import { emptied } from '../crash/store-faults.ts'
import type { Random } from '../simulation/random.ts'
import type { SideBySide } from './side-by-side.ts'

/** Milliseconds from a moment (of `performance.now()`) until what is written from now on is read back everywhere. */
type Back = (fromMs: number) => Promise<number>

/** Gives the times measured. */
type Suffer = (nodes: SideBySide, random: Random, back: Back) => Promise<number[]>

const LOG_FROZEN_MS = 4_000
const LOG_NOT_READY_MS = 800
/** Past its lease by more than a beat, so that others have taken over all that it held. */
const PROJECTOR_FROZEN_MS = LEASE_MS + 3_000

export const FAULTS = {
  'projector killed': async (nodes, random, back) => {
    const killed = random.pick(nodes.projectors)
    nodes.projectors.splice(nodes.projectors.indexOf(killed), 1)
    const begun = performance.now()
    killed.signal('SIGKILL')
    const ms = await back(begun)
    await killed.exited
    await nodes.startProjector()
    return [ms]
  },
  'projector frozen, then woken': async (nodes, random, back) => {
    const frozen = random.pick(nodes.projectors)
    const begun = performance.now()
    frozen.signal('SIGSTOP')
    try {
      const ms = await back(begun)
      await pause(PROJECTOR_FROZEN_MS - (performance.now() - begun))
      frozen.signal('SIGCONT')
      return [ms, await back(performance.now())]
    } finally {
      frozen.signal('SIGCONT')
    }
  },
  'API node killed': async (nodes, random, back) => {
    const api = random.pick(nodes.apis)
    await api.kill()
    await api.begin()
    return [await back(performance.now())]
  },
  'each process stopped in turn': async (nodes, _random, back) => {
    const times: number[] = []
    for (const api of nodes.apis) {
      inOrder(await api.stop())
      await api.begin()
      times.push(await back(performance.now()))
    }
    for (const projector of [...nodes.projectors]) {
      nodes.projectors.splice(nodes.projectors.indexOf(projector), 1)
      const begun = performance.now()
      const exited = projector.exited.then(({ code }) => ({ code, ms: performance.now() - begun }))
      projector.signal('SIGTERM')
      times.push(await back(begun))
      inOrder(await exited)
      await nodes.startProjector()
    }
    return times
  },
  'Redis restarted': async ({ redis }, _random, back) => {
    await redis.restart()
    return [await back(performance.now())]
  },
  'Redis killed': async ({ redis }, _random, back) => {
    await redis.kill()
    await redis.start()
    return [await back(performance.now())]
  },
  'Redis emptied': async ({ redis }, _random, back) => {
    await emptied(redis)
    return [await back(performance.now())]
  },
  'log frozen': async ({ eventStore }, _random, back) => {
    eventStore.freeze()
    await pause(LOG_FROZEN_MS)
    eventStore.thaw()
    return [await back(performance.now())]
  },
  'log cut off': async ({ eventStore }, _random, back) => {
    eventStore.cut()
    return [await back(performance.now())]
  },
  'log restarted': async ({ eventStore }, _random, back) => {
    await eventStore.restart({ notReadyMs: LOG_NOT_READY_MS })
    return [await back(performance.now())]
  },
} as const satisfies Record<string, Suffer>

export type Fault = keyof typeof FAULTS

/** How long a process may take to stop under load: what running requests have, and to close the stores. */
const STOPS_WITHIN_MS = 15_000

function inOrder({ code, ms }: { readonly code: number | null; readonly ms: number }): void {
  if (code !== 0) throw new Error(`a process told to stop exited with ${code}`)
  if (ms > STOPS_WITHIN_MS) throw new Error(`a process told to stop took ${ms} ms`)
}
