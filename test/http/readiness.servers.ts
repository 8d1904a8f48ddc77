// A server reports which of its stores is missing, serves what does not need it, and becomes ready again by itself.

import { expect } from 'chai'
import { openWorld, type World } from '../front-door/world.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'
import { endSharedServers, freshStoresBeside, withServers } from '../servers/store-urls.ts'

interface Readiness {
  readonly status: number
  readonly body: { readonly status: string; readonly missing?: readonly string[] }
}

describe('readiness on servers', function () {
  this.timeout(60_000)
  let eventStore: EventStoreServer
  let redis: RedisServer
  let world: World

  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    ;[eventStore, redis] = await Promise.all([startEventStore(), startRedis()])
    const { storeUrls } = await freshStoresBeside(eventStore)
    world = await openWorld({
      storeUrls: { storeUrls: withServers(storeUrls, { redisUrl: redis.url }), end: async () => {} },
    })
  })
  after(async () => {
    await world.close()
    await Promise.all([eventStore.stop(), redis.stop()])
    await endSharedServers()
  })

  async function readiness(): Promise<Readiness> {
    const answer = await fetch(`http://127.0.0.1:${world.port}/health/ready`)
    return { status: answer.status, body: (await answer.json()) as Readiness['body'] }
  }

  async function until(status: string): Promise<readonly string[]> {
    for (;;) {
      const { body } = await readiness()
      if (body.status === status) return body.missing ?? []
    }
  }

  it('is degraded without Redis, which it names, and ready again with it', async () => {
    expect(await readiness()).to.deep.equal({ status: 200, body: { status: 'ready' } })
    await redis.kill()
    expect(await until('degraded')).to.deep.equal(['rankings'])
    await redis.start()
    await until('ready')
  })

  it('is degraded without the log, and ready again with it', async () => {
    await until('ready')
    eventStore.freeze()
    expect(await until('degraded')).to.include('log')
    eventStore.thaw()
    await until('ready')
  })
})
