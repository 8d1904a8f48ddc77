// Requests for an unsupported upgrade are answered as ordinary requests, and so are the following ones.

import { expect } from 'chai'
import { z } from 'zod'
import { PARSED_BY_UPGRADE, PARSED_PER_TURN } from '../../http/connections/limits.ts'
import { openRoute } from '../../http/route.ts'
import { turn } from '../until.ts'
import { createWorld, type World } from './pipeline-world.ts'
import { get, openRaw, statusesIn } from './raw-connection.ts'

const route = openRoute({
  method: 'GET',
  path: '/api/test/:n/',
  summary: 'A test.',
  needs: 'nothing',
  tenantOnly: false,
  records: false,
  answers: { 200: z.unknown() },
  handle: async ({ params }) => {
    await turn()
    return { status: 200, body: params }
  },
})

const upgradeRequest = (n: number) =>
  get(`/api/test/${n}/`, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: a')
const plain = (n: number) => get(`/api/test/${n}/`)
const numbersIn = (text: string) => [...text.matchAll(/\{"n":"(\d+)"\}/g)].map(([, n]) => Number(n))

describe('requests for an unsupported upgrade', () => {
  let world: World
  before(async () => {
    world = await createWorld({ routes: [route] })
  })
  after(() => world.close())

  async function answersTo(...writes: string[]) {
    const { socket, until } = await openRaw(world.port)
    let count = 0
    for (const text of writes) {
      socket.write(text)
      count += text.split('GET ').length - 1
      await until((read) => numbersIn(read).length === count)
    }
    const text = await until(() => true)
    socket.destroy()
    return { statuses: statusesIn(text), numbers: numbersIn(text) }
  }

  for (const [name, writes, count] of [
    ['with requests behind it', [upgradeRequest(0) + plain(1) + plain(2)], 3],
    ['behind requests that are not answered yet', [plain(0) + plain(1) + upgradeRequest(2) + plain(3)], 4],
    ['behind one another', [upgradeRequest(0) + plain(1) + upgradeRequest(2) + plain(3) + upgradeRequest(4)], 5],
    ['20 times on one connection', Array.from({ length: 20 }, (_, n) => upgradeRequest(n)), 20],
  ] as const) {
    it(`are answered in order ${name}`, async () => {
      const { statuses, numbers } = await answersTo(...writes)
      expect(numbers).to.deep.equal(Array.from({ length: count }, (_, n) => n))
      expect(statuses).to.deep.equal(Array(count).fill(200))
    })
  }

  it('are taken four at a time on one connection, and the next only after the time of those', async () => {
    const observed = { thisIteration: 0, max: 0 }
    const count = () => {
      if (observed.thisIteration++ === 0) setImmediate(() => (observed.thisIteration = 0))
      observed.max = Math.max(observed.max, observed.thisIteration)
    }
    world.http.server.on('upgrade', count)
    const { socket, until } = await openRaw(world.port)
    socket.write(get('/health/live', 'Connection: Upgrade', 'Upgrade: h2c').repeat(40))
    await until((text) => statusesIn(text).length === 40)
    world.http.server.off('upgrade', count)
    socket.destroy()
    // The first request waits for no other and is not counted.
    expect(observed.max).to.be.at.most(1 + PARSED_PER_TURN / PARSED_BY_UPGRADE)
  })

  it('do not fail the server when a connection is reset while an upgrade waits for answers', async () => {
    const { socket, ended } = await openRaw(world.port)
    socket.write(plain(0).repeat(50) + upgradeRequest(1))
    socket.resetAndDestroy()
    await ended
    expect((await answersTo(plain(7))).numbers).to.deep.equal([7])
  })
})
