// A Redis that is down, silent, refuses access or is misconfigured: errors come quickly, say what to do and never
// show a password; the connection recovers by itself.

import { expect } from 'chai'
import { StoresFault } from '../../stores/contract/faults.ts'
import type { Connection } from '../../stores/redis/client.ts'
import { openRedis, type RedisFaultKind, redisFaults } from '../../stores/redis/open.ts'
import { onceBack, RedisWorld, rejection } from './redis-world.ts'

/** The deadline is 1.5 s; the rest is for a busy machine. */
const SOON_MS = 10_000
const PASSWORD = 'pa:ss/w@rd 1%'

/** Returns the error of a call, which must come soon. */
async function soon(call: () => Promise<unknown>): Promise<Error> {
  const began = performance.now()
  const error = await rejection(call())
  expect(performance.now() - began).to.be.below(SOON_MS)
  return error
}

describe('A Redis that is unavailable', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  it('fails calls at once without queueing, and is used again when it is back', async () => {
    const server = await world.server({ fsync: 'always', password: PASSWORD })
    const reports: string[] = []
    const stores = await world.stores(server.url, {
      events: { lost: (error) => reports.push(error.name, error.message), back: () => reports.push('back') },
    })
    const { transient, rates, rankings, leases } = stores
    await server.kill()
    for (const call of [
      () => transient.take('c', 0),
      () => transient.put('c', 'value', { nowMs: 0, expiresMs: 1 }),
      () => transient.claim('c', 'a', 0, 1),
      () => transient.release('c', 'a'),
      () => rates.take([{ key: 'a', perSecond: 1, burst: 1 }], 0),
      () => leases.heartbeat({ id: 'n-1', group: 'a', uses: [] }),
      () => leases.leave('n-1'),
      () => rankings.of('entries@1', 0).size('board'),
      () => rankings.of('entries@1', 0).isFilled('the log'),
      () => stores.faults(Date.now),
    ]) {
      const error = await soon(call)
      expect(error.name).to.equal('RedisUnavailable')
      expect(error.message).to.match(
        /^Redis at redis:\/\/127\.0\.0\.1:\d+ cannot be used now: .+ connected to again\.$/,
      )
      expect(error.message).not.to.contain('pa:ss').and.not.to.contain('pa%3Ass')
    }
    await server.start()
    expect(await onceBack(() => transient.claim('c', 'a', Date.now(), Date.now() + 9_000))).to.equal(true)
    expect([reports[0], reports.at(-1)]).to.deep.equal(['RedisUnavailable', 'back'])
    expect(reports.join()).not.to.contain('pa:ss')
  })

  it('fails calls soon if it is silent, and is used again when it answers', async () => {
    const server = await world.server()
    const { transient } = await world.stores(server.url)
    await transient.put('c', 'value', { nowMs: Date.now(), expiresMs: Date.now() + 60_000 })
    server.suspend()
    const waiting = Array.from({ length: 200 }, () => soon(() => transient.take('d', Date.now())))
    const errors = new Set((await Promise.all(waiting)).map(({ name }) => name))
    expect([...errors]).to.deep.equal(['RedisUnavailable'])
    expect((await soon(() => transient.take('d', Date.now()))).name).to.equal('RedisUnavailable')
    server.resume()
    expect(await onceBack(() => transient.take('c', Date.now()))).to.equal('value')
  })

  it('accepts no calls after close', async () => {
    const { url } = await world.server()
    const { transient, close } = await world.stores(url)
    const underWay = rejection(transient.take('c', 0))
    await close()
    expect((await underWay).name).to.equal('RedisUnavailable')
    expect((await rejection(transient.take('c', 0))).message).to.match(/it was closed/)
  })
})

describe('A Redis that cannot be opened', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  async function fault(url: string): Promise<string> {
    const error = await soon(() => openRedis({ url }))
    expect(error).to.be.an.instanceOf(StoresFault)
    expect(error.message).not.to.contain('secret-one')
    return error.message
  }

  it('reports a missing server, a wrong password and an invalid address', async () => {
    const server = await world.server({ password: PASSWORD })
    const { host } = new URL(server.url)
    expect(await fault(`redis://:secret-one@${host}`)).to.match(
      /does not let us in \(WRONGPASS\)\. Give the right user/,
    )
    expect(await fault(`redis://${host}`)).to.match(/does not let us in \(NOAUTH\)/)
    const open = await world.server()
    expect(await fault(open.url.replace('//', '//:secret-one@'))).to.match(/does not let us in/)
    expect(await fault(`redis://somebody:secret-one@${new URL(open.url).host}`)).to.match(/does not let us in/)
    await server.shutDown()
    expect(await fault(server.url)).to.match(/cannot be reached: .*ECONNREFUSED.* Start it, or set REDIS_URL/)
    for (const url of ['', 'localhost:6379', 'http://:secret-one@host', 'redis://:secret-one@host:port']) {
      expect(await fault(url)).to.match(/^REDIS_URL is not the URL of a Redis server\. Set one like redis:/)
    }
  })

  it('reports a silent server soon', async () => {
    const server = await world.server()
    server.suspend()
    expect(await fault(server.url)).to.match(/cannot be reached: no answer within/)
  })
})

describe('The configuration check of Redis', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  async function kinds(
    config: readonly string[],
    fsync: 'everysec' | 'no-file' = 'everysec',
  ): Promise<RedisFaultKind[]> {
    const { url } = await world.server({ fsync, config })
    const faults = await (await world.stores(url)).faults(Date.now)
    for (const { message } of faults) expect(message).to.match(/^Redis at redis:\/\/127\.0\.0\.1:\d+ .+\. .+\.$/s)
    return faults.map(({ kind }) => kind)
  }

  it('finds nothing on a suitable server', async () => {
    expect(await kinds([])).to.deep.equal([])
  })

  it('rejects missing persistence, an eviction policy, a cluster and a replica', async () => {
    expect(await kinds([], 'no-file')).to.deep.equal(['append-only'])
    expect(await kinds(['--maxmemory-policy', 'allkeys-lru'])).to.deep.equal(['eviction'])
    expect(await kinds(['--maxmemory', '50mb', '--maxmemory-policy', 'volatile-ttl'])).to.deep.equal(['eviction'])
    expect(await kinds(['--cluster-enabled', 'yes'])).to.deep.equal(['cluster'])
    expect(await kinds(['--replicaof', '127.0.0.1', '1'])).to.deep.equal(['replica'])
  })

  it('rejects a clock that differs by more than 5 s', async () => {
    const { url } = await world.server()
    const stores = await world.stores(url)
    const off = async (ms: number) => (await stores.faults(() => Date.now() + ms)).map(({ message }) => message)
    expect(await off(4_000)).to.deep.equal([])
    expect(await off(-4_000)).to.deep.equal([])
    expect((await off(7_000)).join()).to.match(/has a clock [67]\.\d s behind ours; 5 s are allowed\. Set/)
    expect((await off(-7_000)).join()).to.match(/has a clock [67]\.\d s ahead of ours/)
  })

  it('rejects a version that is too old', async () => {
    const found = async (version: string) => {
      const info = `redis_version:${version}\r\nrole:master\r\naof_enabled:1\r\nmaxmemory_policy:noeviction\r\n`
      const seconds = Math.floor(Date.now() / 1_000)
      const connection: Connection = {
        epoch: '',
        send: async ([name]) => (name === 'TIME' ? [String(seconds), '0'] : info),
        run: async () => null,
        destroy: () => {},
      }
      const redis = {
        shown: 'redis://there',
        use: <T>(work: (one: Connection) => Promise<T>) => work(connection),
        close() {},
      }
      return (await redisFaults(redis, Date.now)).map(({ message }) => message)
    }
    expect((await found('6.0.16')).join()).to.match(/is version 6\.0\.16, and at least 6\.2 is needed\. Install/)
    expect((await found('5.9.9')).join()).to.match(/is version 5\.9\.9/)
    for (const version of ['6.2.0', '7.0.15', '8.0.0', '10.0.1']) expect(await found(version)).to.deep.equal([])
  })
})
