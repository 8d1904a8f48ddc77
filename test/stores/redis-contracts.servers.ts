// The stores in Redis pass their contracts, on the server of REDIS_URL if set, else on a local one. Each check has
// its own namespace.

import { randomUUID } from 'node:crypto'
import { createClient } from 'redis'
import { openRedis, type RedisOptions, type RedisStores } from '../../stores/redis/open.ts'
import { leasesChecks } from '../contracts/leases.suite.ts'
import type { OpenLeases } from '../contracts/leases-model.ts'
import { rankingsChecks } from '../contracts/rankings.suite.ts'
import { ratesChecks } from '../contracts/rates.suite.ts'
import { revocationsChecks } from '../contracts/revocations.suite.ts'
import { roomsChecks } from '../contracts/rooms.suite.ts'
import type { OpenRooms } from '../contracts/rooms-watched.ts'
import { testContract } from '../contracts/test-contract.ts'
import { transientChecks } from '../contracts/transient.suite.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'
import { type RedisClock, redisClock } from './redis-clock.ts'
import { LONG_DEAD_MS, roomsWorld } from './redis-rooms.ts'

/** Contains pattern characters, so that a namespace used as a pattern would match others. */
const NAMESPACES = 'scorebook-test[*]-'

/** A server from the environment keeps its own data. */
async function dropKeys(url: string): Promise<void> {
  const client = createClient({ url })
  client.on('error', () => {})
  await client.connect()
  for await (const keys of client.scanIterator({ MATCH: 'scorebook-test\\[\\*\\]-*', COUNT: 1_000 })) {
    if (keys.length > 0) await client.unlink(keys)
  }
  client.destroy()
}

describe('Stores in Redis', () => {
  const given = process.env.REDIS_URL
  let server: RedisServer | null = null
  let url = given ?? ''
  let clock: RedisClock
  const opened: RedisStores[] = []

  before(async () => {
    if (given === undefined) {
      server = await startRedis()
      url = server.url
    }
    clock = await redisClock(url)
  })
  after(async () => {
    for (const stores of opened) await stores.close()
    clock.close()
    await dropKeys(url)
    await server?.stop()
  })

  async function fresh(over: Partial<RedisOptions> = {}): Promise<RedisStores> {
    const stores = await openRedis({ url, namespace: `${NAMESPACES}${randomUUID()}:`, ...over })
    opened.push(stores)
    return stores
  }

  const openLeases: OpenLeases = async (leaseMs) => {
    const { leases } = await fresh({ leaseMs })
    return { leases, leaseMs, ...clock }
  }

  const openRooms: OpenRooms = async () => {
    const namespace = `${NAMESPACES}${randomUUID()}:`
    return roomsWorld(await fresh({ namespace, deadMs: LONG_DEAD_MS }), namespace, clock.command)
  }

  testContract('rankings', rankingsChecks, async () => (await fresh()).rankings)
  testContract('one-time secrets and marks', transientChecks, async () => (await fresh()).transient)
  testContract('token buckets', ratesChecks, async () => (await fresh()).rates)
  testContract('leases', leasesChecks, async () => openLeases)
  testContract('revocations', revocationsChecks, async () => (await fresh()).revocations)
  testContract('rooms', roomsChecks(6), async () => openRooms)
})
