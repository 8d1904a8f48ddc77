// Limits of connections per network address and per process: the newest above a limit is closed before it is read.

import { once } from 'node:events'
import { expect } from 'chai'
import { trustedProxies } from '../../runtime/network.ts'
import { createWorld, type World } from './pipeline-world.ts'
import { get, openRaw, statusesIn } from './raw-connection.ts'

const RATES = {
  key: { perSecond: 1_000, burst: 1_000 },
  player: { perSecond: 1_000, burst: 1_000 },
  address: { perSecond: 1_000, burst: 1_000 },
  handshake: { perSecond: 1_000, burst: 1_000 },
  guest: { perSecond: 1_000, burst: 1_000 },
}
const OTHER = '127.0.0.2'

describe('the connection limiter', () => {
  let world: World
  afterEach(() => world.close())

  async function answered(localAddress?: string) {
    const { socket, until, ended } = await openRaw(world.port, localAddress)
    socket.write(get('/health/live'))
    const text = await until((read) => statusesIn(read).length === 1).catch(() => '')
    return { status: statusesIn(text)[0] ?? 'closed', socket, ended }
  }

  const limited = async () =>
    (await world.metrics.metrics()).split('\n').filter((line) => /^scorebook_http_(limited|connections)/.test(line))

  it('closes the third connection of an address that may have two, until one of them ends', async () => {
    world = await createWorld({ rateLimits: RATES, edgeLimits: { connections: { perAddress: 2, perProcess: 100 } } })
    const [first, second] = [await answered(), await answered()]
    expect([first.status, second.status]).to.deep.equal([200, 200])
    expect((await answered()).status).to.equal('closed')
    expect((await answered(OTHER)).status).to.equal(200)
    expect(await limited()).to.deep.equal([
      'scorebook_http_limited_total{what="connection",limit="address"} 1',
      'scorebook_http_connections 3',
    ])
    const closed = new Promise<void>((resolve) => {
      const check = () =>
        world.http.server.getConnections((_failure, count) => (count === 2 ? resolve() : setImmediate(check)))
      check()
    })
    second.socket.destroy()
    await closed
    expect((await answered()).status).to.equal(200)
  })

  it('closes connections of any address above the limit of the process, also with rates off', async () => {
    world = await createWorld({ rateLimits: 'off', edgeLimits: { connections: { perAddress: 1, perProcess: 2 } } })
    expect((await answered()).status).to.equal(200)
    expect((await answered()).status).to.equal(200)
    expect((await answered(OTHER)).status).to.equal('closed')
    expect((await limited())[0]).to.equal('scorebook_http_limited_total{what="connection",limit="process"} 1')
  })

  it('does not count connections of trusted proxies', async () => {
    const connections = { perAddress: 1, perProcess: 1 }
    const proxies = trustedProxies('127.0.0.1')
    world = await createWorld({ rateLimits: RATES, edgeLimits: { connections }, trustedProxies: proxies })
    expect((await answered()).status).to.equal(200)
    expect((await answered()).status).to.equal(200)
    expect((await answered(OTHER)).status).to.equal(200)
    expect((await answered(OTHER)).status).to.equal('closed')
  })

  it('counts a connection once whose requests ask for unsupported upgrades', async () => {
    world = await createWorld({ rateLimits: RATES, edgeLimits: { connections: { perAddress: 1, perProcess: 1 } } })

    const { socket, until } = await openRaw(world.port)
    socket.write(get('/health/live', 'Connection: Upgrade', 'Upgrade: h2c').repeat(3))
    await until((read) => statusesIn(read).length === 3)
    expect((await limited()).at(-1)).to.equal('scorebook_http_connections 1')
    socket.destroy()
    await once(socket, 'close')
  })
})
