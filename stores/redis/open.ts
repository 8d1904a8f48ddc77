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
  /** Prefix of all keys, so that several installations can share a server. */
  readonly namespace?: string
  readonly events?: RedisEvents
  /** Lease duration in milliseconds, equal on all nodes. */
  readonly leaseMs?: number
  /** Milliseconds without a heartbeat after which a room node is dead, equal on all nodes. */
  readonly deadMs?: number
}

export interface RedisStores extends MemoryStores {
  /** The faults of the server; empty if there are none. `clock` returns Unix milliseconds. */
  faults(clock: () => number): Promise<RedisFault[]>
}

/** Rejects with StoresFault if the server cannot be reached or rejects the credentials. */
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
