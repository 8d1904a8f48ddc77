// Rooms in Redis for their contract, with time that the test controls: it shifts the stored times at which nodes die
// and empty rooms expire.

import type { Rooms } from '../../stores/contract/rooms.ts'
import type { RedisStores } from '../../stores/redis/open.ts'
import { type RoomsWorld, WatchedNode } from '../contracts/rooms-watched.ts'
import type { RedisWorld } from './redis-world.ts'

/** Longer than any check. */
export const LONG_DEAD_MS = 600_000

/** A fixed room. */
export const LOBBY = { id: 'lobby', name: 'Lobby', max_members: 100, listed: true }

type Command = (...words: string[]) => Promise<unknown>

export function roomsWorld({ rooms }: RedisStores, namespace: string, command: Command): RoomsWorld {
  return {
    rooms,
    deadMs: LONG_DEAD_MS,
    async pass(ms) {
      const [epoch] = (await command('SMEMBERS', `${namespace}rooms:epochs`)) as string[]
      for (const key of ['nodes', 'empty', 'asked'].map((name) => `${namespace}rooms:${epoch}:${name}`)) {
        const all = (await command('ZRANGE', key, '0', '-1')) as string[]
        for (const one of all) await command('ZINCRBY', key, String(-ms), one)
      }
    },
  }
}

/** Rooms on a shared Redis, each as a process of its own. */
export function roomsOn(world: RedisWorld) {
  const roomsAt = async (url: string, over: { namespace?: string; deadMs?: number } = {}): Promise<Rooms> =>
    (await world.stores(url, { deadMs: LONG_DEAD_MS, ...over })).rooms
  const nodeAt = async (...at: Parameters<typeof roomsAt>) => WatchedNode.enter(await roomsAt(...at))
  const keysOf = async (url: string) => ((await world.command(url, 'KEYS', '*')) as string[]).toSorted()
  return { roomsAt, nodeAt, keysOf }
}
