// EventStoreDB withdraws a right while a node runs: callers learn that nothing was recorded, readiness reports the
// missing log, the log output says why, once, and all recovers when the right is granted again.

import { expect } from 'chai'
import { makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import { openWorld, type World } from '../front-door/world.ts'
import { type Authority, makeAuthority } from '../servers/eventstoredb/identity.ts'
import { type EventStoreServer, startEventStore } from '../servers/eventstoredb/server.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { endSharedServers, freshStoresBeside } from '../servers/store-urls.ts'

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
