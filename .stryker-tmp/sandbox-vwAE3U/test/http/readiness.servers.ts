// A server says which of its stores is missing, goes on with what needs none of it, and is ready again by itself.

import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { openWorld, type World } from '../front-door/world.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { endSharedServers, placesBeside } from '../servers/places.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'

interface Told {
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
    const { places } = await placesBeside(eventStore)
    world = await openWorld({ places: { places: { ...places, redisUrl: redis.url }, end: async () => {} } })
  })
  after(async () => {
    await world.close()
    await Promise.all([eventStore.stop(), redis.stop()])
    await endSharedServers()
  })

  async function told(): Promise<Told> {
    const answer = await fetch(`http://127.0.0.1:${world.port}/health/ready`)
    return { status: answer.status, body: (await answer.json()) as Told['body'] }
  }

  async function until(status: string): Promise<readonly string[]> {
    for (;;) {
      const { body } = await told()
      if (body.status === status) return body.missing ?? []
    }
  }

  it('is degraded without Redis, which it names, and whole again with it', async () => {
    expect(await told()).to.deep.equal({ status: 200, body: { status: 'ready' } })
    await redis.kill()
    expect(await until('degraded')).to.deep.equal(['rankings'])
    await redis.start()
    await until('ready')
  })

  it('is degraded without the log, and whole again with it', async () => {
    await until('ready')
    eventStore.freeze()
    expect(await until('degraded')).to.include('log')
    eventStore.thaw()
    await until('ready')
  })
})
