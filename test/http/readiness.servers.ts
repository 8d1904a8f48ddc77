// A server reports which of its stores is missing or lacks a right, serves what does not need it, and becomes ready
// again by itself.

import { expect } from 'chai'
import { makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { type Authority, makeAuthority } from '../servers/eventstoredb/identity.ts'
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

const PASSWORD = 'planted'

describe('readiness with an EventStoreDB that withdraws a right', function () {
  this.timeout(60_000)
  let authority: Authority
  let server: EventStoreServer
  let world: World

  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    authority = makeAuthority()
    server = await startEventStore({
      identity: authority.identity,
      users: { scorebook: { password: PASSWORD, rights: ['readAll', 'readStreams', 'append', 'options'] } },
    })
    const eventStoreUrl = `esdb://scorebook:${PASSWORD}@127.0.0.1:${server.port}?tlsCAFile=${authority.caFile}`
    world = await openWorld({ logLevel: 'warn', storeUrls: await freshStoresBeside({ url: eventStoreUrl }) })
  })
  after(async () => {
    await world.close()
    await server.stop()
    authority.remove()
    await endSharedServers()
  })

  async function until(status: string): Promise<readonly string[]> {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${world.port}/health/ready`)
      const body = (await answer.json()) as { status: string; missing?: readonly string[] }
      if (body.status === status) return body.missing ?? []
    }
  }

  it('answers 503 log_unavailable, is degraded without the log, and is ready again with the right', async () => {
    const game = await makeGame(world)
    const board = await makeBoard(world, game)
    const player = await makePlayer(world, game)
    const submit = () =>
      world.call('POST', `/api/lb/${board}/score/`, { token: game.token, body: { score: '1', player } })
    await until('ready')
    server.withdraw('scorebook', 'append')
    for (let call = 0; call < 3; call += 1) {
      const { status, body } = await submit()
      expect([status, body.code, body.detail]).to.deep.equal([
        503,
        'log_unavailable',
        'The server accepts no writes now. Nothing was recorded. Send it again later.',
      ])
    }
    expect(await until('degraded')).to.deep.equal(['log'])
    const sent = world.lines.filter((line) => line.includes('does not let the user of EVENTSTORE_URL append'))
    expect(sent).to.have.length(1)
    expect(world.lines.join('\n')).not.to.contain(PASSWORD)
    const metrics = await (await fetch(`http://127.0.0.1:${world.adminPort}/metrics`)).text()
    const count = (operation: string) =>
      Number(new RegExp(`^scorebook_log_denied_total\\{operation="${operation}"\\} (\\d+)$`, 'm').exec(metrics)?.[1])
    expect([count('read_all'), count('read_stream')]).to.deep.equal([0, 0])
    expect(count('append')).to.be.at.least(3)
    server.grant('scorebook', 'append')
    await until('ready')
    expect((await submit()).status).to.equal(201)
  })
})
