// Rooms in Redis as their contract wants them: with time that passes when it is told to. All that rooms know of the past is
// when nodes are dead and empty rooms forgotten, which is moved.

import type { RedisStores } from '../../stores/redis/open.ts'
import type { RoomsWorld } from '../contracts/rooms-watched.ts'

/** Longer than any check takes. */
export const LONG_DEAD_MS = 600_000

export type Command = (...words: string[]) => Promise<unknown>

export function roomsWorld({ rooms }: RedisStores, namespace: string, command: Command): RoomsWorld {
  return {
    rooms,
    deadMs: LONG_DEAD_MS,
    async pass(ms) {
      const [epoch] = (await command('SMEMBERS', `${namespace}rooms:epochs`)) as string[]
      for (const key of ['nodes', 'empty'].map((name) => `${namespace}rooms:${epoch}:${name}`)) {
        const all = (await command('ZRANGE', key, '0', '-1')) as string[]
        for (const one of all) await command('ZINCRBY', key, String(-ms), one)
      }
    },
  }
}
