// Faults of rooms nodes and of their Redis. After each one everything runs again.

import { setTimeout as pause } from 'node:timers/promises'
import { emptied } from '../nodes/store-faults.ts'
import type { Fault } from './prove-order.ts'
import type { RoomsNodes } from './rooms-nodes.ts'

/** Shorter, and longer, than the age at which revocations count as stale. */
const SHORTLY_MS = 700
const LONG_MS = 5_000
/** Longer than the lease of a node. */
const NODE_HELD_MS = 9_000

export function faults({ side: { redis }, nodes }: RoomsNodes): Readonly<Record<string, Fault[1]>> {
  const held = async (ms: number) => {
    redis.suspend()
    await pause(ms)
    redis.resume()
  }
  return {
    'Redis held shortly': () => held(SHORTLY_MS),
    'Redis held': () => held(LONG_MS),
    'Redis restarted': () => redis.restart(),
    'Redis killed': async () => {
      await redis.kill()
      await redis.start()
    },
    'Redis emptied': () => emptied(redis),
    'a node held': async () => {
      nodes[1].suspend()
      await pause(NODE_HELD_MS)
      nodes[1].resume()
    },
    'a node killed': async () => {
      await nodes[1].kill()
      await nodes[1].begin()
    },
  }
}
