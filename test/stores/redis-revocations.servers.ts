// Revocations in a Redis that is emptied, restarted or paused, or whose answers get lost: no node wrongly believes
// that it is up to date.

import { expect } from 'chai'
import { NodeRevocations } from '../../access/revocations.ts'
import type { Noted, Revocations } from '../../stores/contract/revocations.ts'
import { onceBack, RedisWorld, rejection } from './redis-world.ts'

const NOW = Date.now()
const revoked = (prefix: string, pos: string): Noted => ({
  subject: `key:${prefix}`,
  pos,
  status: { revoked: true, permissions: [] },
})
const nodeOn = (store: Revocations) => new NodeRevocations(store, { now: Date.now, elapsedMs: () => performance.now() })
const knows = (node: NodeRevocations, prefix: string) => node.newerThan('0', `key:${prefix}`) !== null

describe('Revocations in Redis', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  it('are received by nodes of two processes', async () => {
    const { url } = await world.server()
    const [a, b] = [nodeOn((await world.stores(url)).revocations), nodeOn((await world.stores(url)).revocations)]
    await b.poll()
    await a.note([revoked('k', '1')])
    await b.poll()
    expect(knows(b, 'k')).to.equal(true)
  })

  it('are published again by every node that holds them, after Redis was emptied', async () => {
    const { url } = await world.server()
    const stores = [(await world.stores(url)).revocations, (await world.stores(url)).revocations] as const
    const [a, b] = [nodeOn(stores[0]), nodeOn(stores[1])]
    await a.poll()
    await b.poll()
    await a.note([revoked('k', '1')])
    await a.poll()
    await world.command(url, 'FLUSHALL')
    await b.poll()
    expect(knows(b, 'k')).to.equal(false)
    await a.poll()
    await b.poll()
    expect([knows(b, 'k'), a.unpublished, b.unpublished]).to.deep.equal([true, 0, 0])
  })

  it('detect a version from before Redis was emptied, even after as many new entries', async () => {
    const { url } = await world.server()
    const { revocations } = await world.stores(url)
    await revocations.note([revoked('k', '1')], NOW)
    const { version } = await revocations.since(null)
    await world.command(url, 'FLUSHALL')
    const empty = await revocations.since(version)
    expect([empty.whole, empty.changes]).to.deep.equal([true, []])
    await revocations.note([revoked('l', '2')], NOW)
    for (const asked of [version, empty.version]) {
      const heard = await revocations.since(asked)
      expect([heard.whole, heard.changes]).to.deep.equal([true, [revoked('l', '2')]])
    }
  })

  it('return everything after a restart, which may have lost some', async () => {
    const server = await world.server({ fsync: 'always' })
    const { revocations } = await world.stores(server.url)
    await revocations.note([revoked('k', '1'), revoked('l', '2')], NOW)
    const { version } = await revocations.since(null)
    await server.kill()
    await server.start()
    const heard = await onceBack(() => revocations.since(version))
    expect([heard.whole, heard.changes]).to.deep.equal([true, [revoked('k', '1'), revoked('l', '2')]])
  })

  it('time out if Redis is suspended', async () => {
    const server = await world.server()
    const { revocations } = await world.stores(server.url)
    const node = nodeOn(revocations)
    await node.poll()
    server.suspend()
    const failures = await Promise.all([rejection(node.poll()), rejection(node.lookUp(['key:k']))])
    expect(failures.map(({ name }) => name)).to.deep.equal(['RedisUnavailable', 'RedisUnavailable'])
    server.resume()
    await onceBack(() => node.poll())
    expect(node.isSynced(performance.now())).to.equal(true)
  })

  it('are published again if the answer was lost, and received once', async () => {
    const server = await world.server()
    const way = await world.lossy(server.url)
    const [here, there] = [(await world.stores(way.url)).revocations, (await world.stores(server.url)).revocations]
    const node = nodeOn(here)
    await node.poll()
    // Otherwise the client would first have to load the script.
    await node.note([revoked('earlier', '1')])
    const { version } = await there.since(null)
    way.lose()
    expect((await rejection(node.note([revoked('k', '2')]))).name).to.equal('RedisUnavailable')
    expect(node.unpublished).to.equal(1)
    const first = await there.since(version)
    expect(first.changes).to.deep.equal([revoked('k', '2')])
    way.repair()
    await onceBack(() => node.poll())
    expect([node.unpublished, (await there.since(first.version)).changes]).to.deep.equal([0, []])
  })
})
