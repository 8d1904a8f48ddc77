// A server is ready while its stores are, says which is missing, and is ready again by itself.

import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { openWorld, type World } from '../front-door/world.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { endSharedServers, placesBeside } from '../servers/places.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'

interface Told {
  readonly status: number
  readonly body: { readonly missing?: readonly string[] }
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

  async function until(status: number): Promise<readonly string[]> {
    for (;;) {
      const { status: is, body } = await told()
      if (is === status) return body.missing ?? []
    }
  }

  it('is lost with Redis, named, and comes back with it', async () => {
    expect(await told()).to.deep.equal({ status: 200, body: { status: 'ready' } })
    await redis.kill()
    expect(await until(503)).to.deep.equal(['rankings'])
    await redis.start()
    await until(200)
  })

  it('is lost with the log, and comes back with it', async () => {
    await until(200)
    eventStore.freeze()
    expect(await until(503)).to.include('log')
    eventStore.thaw()
    await until(200)
  })
})
