// What befalls nodes of rooms and the Redis under them. Each leaves everything running again.

import { setTimeout as pause } from 'node:timers/promises'
import { emptied } from '../crash/store-faults.ts'
import type { Fault } from './prove-order.ts'
import type { RoomsNodes } from './rooms-nodes.ts'

/** Shorter than what revocations may go unheard, and longer. */
const SHORTLY_MS = 700
const LONG_MS = 5_000
/** Past the end of its life. */
const NODE_HELD_MS = 9_000

export function faults({ side: { redis }, nodes }: RoomsNodes): Readonly<Record<string, Fault[1]>> {
  const held = async (ms: number) => {
    redis.hold()
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
      nodes[1].hold()
      await pause(NODE_HELD_MS)
      nodes[1].resume()
    },
    'a node killed': async () => {
      await nodes[1].kill()
      await nodes[1].begin()
    },
  }
}
