// Faults of several nodes: each one is caused, measured until new writes can be read back, and repaired.

import { createClient } from 'redis'
import { PARTITIONS } from '../../domain/partition.ts'
import { LEASE_MS } from '../../stores/contract/leases.ts'
import { RETRY_EVERY_MS } from '../crash/load-run.ts'
import type { Random } from '../random.ts'
import type { ServerUrls } from '../servers/store-urls.ts'
import { pause } from '../until.ts'
import type { SideBySide } from './side-by-side.ts'
import { emptied } from './store-faults.ts'

/** All times are milliseconds since a moment of `performance.now()`. */
interface Measure {
  /** Records how long it takes until new writes can be read back everywhere. */
  back(fromMs: number): Promise<void>
  /** Records when live projectors owned all partitions. */
  moved(afterMs: number): void
  /** Records how long a process took to stop after SIGTERM, and that it stopped cleanly. */
  stopped(exit: { readonly code: number | null; readonly ms: number }): void
}

type Suffer = (nodes: SideBySide, random: Random, measure: Measure) => Promise<void>
const LOG_FROZEN_MS = 4_000
const LOG_NOT_READY_MS = 800

/** Longer than its lease by more than a heartbeat, so that others have taken over all of its partitions. */
const PROJECTOR_FROZEN_MS = LEASE_MS + 3_000

export const FAULTS = {
  'projector killed': async (nodes, random, measure) => {
    const killed = random.pick(nodes.projectors)
    nodes.projectors.splice(nodes.projectors.indexOf(killed), 1)
    const startedMs = performance.now()
    killed.signal('SIGKILL')
    await Promise.all([measure.back(startedMs), untilMoved(nodes, nodes.projectors.length, startedMs, measure)])
    await killed.exited
    await nodes.startProjector()
  },
  'projector frozen, then woken': async (nodes, random, measure) => {
    const frozen = random.pick(nodes.projectors)
    const startedMs = performance.now()
    frozen.signal('SIGSTOP')
    try {
      await Promise.all([measure.back(startedMs), untilMoved(nodes, nodes.projectors.length - 1, startedMs, measure)])
      await pause(PROJECTOR_FROZEN_MS - (performance.now() - startedMs))
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
      const startedMs = performance.now()
      const exited = projector.exited.then(({ code }) => ({ code, ms: Math.round(performance.now() - startedMs) }))
      projector.signal('SIGTERM')
      await measure.back(startedMs)
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

async function untilMoved({ storeUrls }: SideBySide, live: number, fromMs: number, measure: Measure): Promise<void> {
  await untilOwnedBy(storeUrls, live)
  measure.moved(Math.round(performance.now() - fromMs))
}

/** Waits until exactly this many projectors are live and together own all partitions. Rejects while Redis is down. */
export async function untilOwnedBy(
  { servers: { redisUrl }, redisPrefix }: ServerUrls,
  projectors: number,
): Promise<void> {
  const client = createClient({ url: redisUrl, socket: { reconnectStrategy: false } })
  // The command that is under way rejects too.
  client.on('error', () => {})
  await client.connect()
  try {
    for (;;) {
      const nodes = Object.values(await client.hGetAll(`${redisPrefix}nodes`)).map(livePartitions)
      const held = nodes.flatMap((partitions) => partitions ?? [])
      if (nodes.filter((one) => one !== null).length === projectors && new Set(held).size === PARTITIONS) return
      await pause(RETRY_EVERY_MS)
    }
  } finally {
    client.destroy()
  }
}

/** The partitions of a live projector; else null. Lines of a heartbeat: expiry and partitions, group, used views. */
function livePartitions(heartbeat: string): readonly string[] | null {
  const [lease = '', group = ''] = heartbeat.split('\n')
  const [ends = '', held = ''] = lease.split(' ')
  if (group === 'null' || Number(ends) <= Date.now()) return null
  return held === '' ? [] : held.split(',')
}
