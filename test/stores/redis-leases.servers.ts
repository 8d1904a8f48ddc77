// Leases in a Redis that many processes share, and that is emptied, killed, full or set back, or whose answers get
// lost.

import { expect } from 'chai'
import { LEASE_MS, type Leases, type Node } from '../../stores/contract/leases.ts'
import { EVERY, holders } from '../contracts/leases-model.ts'
import { redisClock } from './redis-clock.ts'
import { onceBack, RedisWorld, rejection } from './redis-world.ts'

const LONG_MS = 60_000
const SHORT_MS = 60

const node = (id: string): Node => ({ id, group: 'a', uses: [`of-${id}@1`] })
const ownedBy = async (leases: Leases, id: string) => (await leases.heartbeat(node(id))).owned

describe('Leases in Redis', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  async function leasesAt(url: string, leaseMs: number = LONG_MS, namespace = 'scorebook:'): Promise<Leases> {
    return (await world.stores(url, { leaseMs, namespace })).leases
  }

  it('tell the time of the server, which all nodes share', async () => {
    const { url } = await world.server()
    const leases = await leasesAt(url)
    const before = Date.now()
    const told = await leases.clockMs?.()
    // The server is on this machine.
    expect(told).to.be.within(before - 1, Date.now() + 1)
  })

  it('are owned by one process, however many send heartbeats at once', async () => {
    const { url } = await world.server()
    const processes = await Promise.all(EVERY.slice(0, 5).map(() => leasesAt(url)))
    for (let round = 0; round < 20; round++) {
      const all = await Promise.all(processes.map(async (one, n) => [`n-${n}`, await ownedBy(one, `n-${n}`)] as const))
      if (round > 2) expect(holders(new Map(all)).size).to.equal(EVERY.length)
    }
  })

  it('are separate per namespace', async () => {
    const { url } = await world.server()
    const [one, other] = [await leasesAt(url, LONG_MS, 'one:'), await leasesAt(url, LONG_MS, 'other:')]
    expect(await ownedBy(one, 'n-1')).to.deep.equal(EVERY)
    expect(await other.heartbeat(node('n-2'))).to.deep.equal({ owned: EVERY, used: ['of-n-2@1'] })
  })

  it('are free after Redis was emptied, and the next node takes them', async () => {
    const { url } = await world.server()
    const leases = await leasesAt(url)
    expect(await ownedBy(leases, 'n-1')).to.deep.equal(EVERY)
    await world.command(url, 'FLUSHALL')
    await world.command(url, 'SCRIPT', 'FLUSH')
    expect(await ownedBy(leases, 'n-2')).to.deep.equal(EVERY)
    expect(await ownedBy(leases, 'n-1')).to.deep.equal([])
  })

  it('keep their owners when Redis is restarted', async () => {
    const server = await world.server({ fsync: 'always' })
    const leases = await leasesAt(server.url)
    expect(await ownedBy(leases, 'n-1')).to.deep.equal(EVERY)
    for (const again of [() => server.restart(), () => server.kill().then(() => server.start())]) {
      await again()
      expect(await onceBack(() => ownedBy(leases, 'n-2'))).to.deep.equal([])
    }
    expect((await ownedBy(leases, 'n-1')).length).to.equal(EVERY.length / 2)
  })

  it('leave no keys after the last node has left', async () => {
    const { url } = await world.server()
    const short = await leasesAt(url, SHORT_MS)
    const clock = await redisClock(url)
    // Keys of dead nodes, while others continue.
    const long = await leasesAt(url, LEASE_MS)
    await ownedBy(short, 'dead')
    await ownedBy(long, 'n-1')
    await clock.pass(SHORT_MS)
    await ownedBy(long, 'n-1')
    expect(await world.command(url, 'HKEYS', 'scorebook:nodes')).to.deep.equal(['n-1'])
    expect(await world.command(url, 'KEYS', '*')).to.deep.equal(['scorebook:nodes'])
    expect(await world.command(url, 'PTTL', 'scorebook:nodes')).to.be.within(1, LEASE_MS)
    await ownedBy(short, 'n-1')
    await clock.pass(SHORT_MS + 1)
    expect(await world.command(url, 'EXISTS', 'scorebook:nodes')).to.equal(0)
    await ownedBy(short, 'n-1')
    await short.leave('n-1')
    expect(await world.command(url, 'EXISTS', 'scorebook:nodes')).to.equal(0)
    clock.close()
  })

  it('expire on time even if the clock was set back', async () => {
    const { url } = await world.server()
    const clock = await redisClock(url)
    // Such a clock leaves a lease that ends later than any valid one.
    expect(await ownedBy(await leasesAt(url, 3_600_000), 'dead')).to.deep.equal(EVERY)
    const short = await leasesAt(url, SHORT_MS)
    await ownedBy(short, 'n-1')
    const endMs = (await clock.now()) + SHORT_MS
    // Heartbeats continue, so that the key itself does not expire.
    while ((await clock.now()) < endMs) await ownedBy(short, 'n-1')
    expect(await short.heartbeat(node('n-1'))).to.deep.equal({ owned: EVERY, used: ['of-n-1@1'] })
    clock.close()
  })

  it('may change by a heartbeat whose answer was lost, which the next answer shows', async () => {
    const { url } = await world.server()
    const way = await world.lossy(url)
    const [near, far] = [await leasesAt(url), await leasesAt(way.url)]
    expect(await ownedBy(far, 'n-1')).to.deep.equal(EVERY)
    expect(await ownedBy(near, 'n-2')).to.deep.equal([])
    way.lose()
    expect((await rejection(far.heartbeat(node('n-1')))).name).to.equal('RedisUnavailable')
    way.repair()
    const others = await ownedBy(near, 'n-2')
    const own = await onceBack(() => ownedBy(far, 'n-1'))
    expect([own.length, others.length]).to.deep.equal([8, 8])
    expect(holders(new Map(Object.entries({ own, others }))).size).to.equal(EVERY.length)
  })

  it('are refused with advice if memory is full, and stay as they were', async () => {
    const { url } = await world.server()
    const leases = await leasesAt(url)
    expect(await ownedBy(leases, 'n-1')).to.deep.equal(EVERY)
    await world.command(url, 'CONFIG', 'SET', 'maxmemory', '1')
    const refused = await rejection(leases.heartbeat(node('n-2')))
    expect([refused.name, refused.message]).to.deep.equal([
      'RedisRefused',
      `Redis at ${url} refused a command: it has no memory left (maxmemory is reached). Raise maxmemory, or free some.`,
    ])
    await leases.leave('n-2')
    await world.command(url, 'CONFIG', 'SET', 'maxmemory', '0')
    expect(await ownedBy(leases, 'n-2')).to.deep.equal([])
    expect((await ownedBy(leases, 'n-1')).length).to.equal(EVERY.length / 2)
  })
})
