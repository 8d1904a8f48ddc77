// Opens the stores in Redis together over one connection; each room node has a second one for blocking reads.

import type { MemoryStores } from '../contract/stores.ts'
import { type RedisFault, redisFaults } from './faults.ts'
import { createRedisLeases } from './leases.ts'
import { createRedisRankings } from './rankings.ts'
import { createRedisRates } from './rates.ts'
import { connectRedis, type RedisEvents } from './redis.ts'
import { createRedisRevocations } from './revocations.ts'
import { createRedisRooms } from './rooms.ts'
import { createRedisTransient } from './transient.ts'

export interface RedisOptions {
  readonly url: string
  /** What all keys begin with, so that several installations can share a server. */
  readonly namespace?: string
  readonly events?: RedisEvents
  /** How long a lease lasts: the same for all nodes. */
  readonly leaseMs?: number
  /** After how long a silent node of rooms is dead: the same for all nodes. */
  readonly deadMs?: number
}

export interface RedisStores extends MemoryStores {
  /** What is wrong with the server, or none. `clock` gives Unix milliseconds. */
  faults(clock: () => number): Promise<RedisFault[]>
}

/** Rejects with StoresFault where it cannot be reached or does not let us in. */
export async function openRedis(options: RedisOptions): Promise<RedisStores> {
  const { url, namespace = 'scorebook:', events, leaseMs, deadMs } = options
  const redis = await connectRedis(url, events)
  const rooms = createRedisRooms(redis, { url, namespace, deadMs })
  return {
    rankings: createRedisRankings(redis, namespace),
    transient: createRedisTransient(redis, namespace),
    rates: createRedisRates(redis, namespace),
    leases: createRedisLeases(redis, namespace, leaseMs),
    revocations: createRedisRevocations(redis, namespace),
    rooms,
    faults: (clock) => redisFaults(redis, clock),
    close: async () => {
      rooms.close()
      redis.close()
    },
  }
}
