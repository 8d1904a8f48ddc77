// Opens the stores in Redis together over one connection; each room node has a second one for blocking reads.

import type { MemoryStores } from '../contract/stores.ts'
import { readInfo } from './client.ts'
import { createRedisLeases } from './leases.ts'
import { createRedisRankings } from './rankings.ts'
import { createRedisRates } from './rates.ts'
import { connectRedis, type Redis, type RedisEvents } from './redis.ts'
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
  /** Production refuses to start on any of them. `clock` returns Unix milliseconds. */
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

export type RedisFaultKind = 'version' | 'cluster' | 'replica' | 'append-only' | 'eviction' | 'clock'

export interface RedisFault {
  readonly kind: RedisFaultKind
  readonly message: string
}

const CLOCK_OFF_MAX_MS = 5_000
/** The first version with GETDEL. */
const OLDEST = [6, 2] as const

/** Configuration problems of a reachable Redis. `clock` returns Unix milliseconds. */
export async function redisFaults(redis: Redis, clock: () => number): Promise<RedisFault[]> {
  const [info, offMs] = await redis.use(async ({ send }) => {
    const before = clock()
    const [seconds, micros] = (await send(['TIME'])) as [string, string]
    const theirs = Number(seconds) * 1_000 + Number(micros) / 1_000
    return [await readInfo(send), Math.round((before + clock()) / 2 - theirs)] as const
  })
  const faults: RedisFault[] = []
  const add = (kind: RedisFaultKind, message: string) =>
    faults.push({ kind, message: `Redis at ${redis.shown} ${message}` })

  const version = info.get('redis_version') ?? ''
  if (isOlder(version)) {
    add('version', `is version ${version}, and at least ${OLDEST.join('.')} is needed. Install a newer one.`)
  }
  if (info.get('redis_mode') === 'cluster') {
    add('cluster', 'is a node of a cluster, whose keys cannot be changed together. Give a single server.')
  }
  if (info.get('role') !== 'master') {
    add('replica', 'is a replica, which takes no writes. Give the address of its primary.')
  }
  if (info.get('aof_enabled') !== '1') {
    add(
      'append-only',
      'keeps no append-only file: after a crash, used one-time secrets would be valid again. Set "appendonly yes" in its ' +
        'configuration.',
    )
  }
  const policy = info.get('maxmemory_policy') ?? ''
  if (policy !== 'noeviction') {
    add(
      'eviction',
      `drops keys when its memory is full (maxmemory-policy ${policy}): rankings would lose entries unseen. Set ` +
        '"maxmemory-policy noeviction".',
    )
  }
  if (Math.abs(offMs) > CLOCK_OFF_MAX_MS) {
    const direction = offMs > 0 ? 'behind' : 'ahead of'
    add(
      'clock',
      `has a clock ${(Math.abs(offMs) / 1_000).toFixed(1)} s ${direction} ours; ${CLOCK_OFF_MAX_MS / 1_000} s are allowed. Set ` +
        'both machines right (NTP).',
    )
  }
  return faults
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
}
