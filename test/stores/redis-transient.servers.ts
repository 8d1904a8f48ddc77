// One-time secrets in a Redis whose answers get lost, or that is killed, restored to an earlier state or full: none
// is redeemed twice. Also rate limits and claims that two processes share.

import { cp, rm } from 'node:fs/promises'
import { expect } from 'chai'
import type { Transient } from '../../stores/contract/transient.ts'
import type { RedisServer } from '../servers/redis.ts'
import { turn } from '../until.ts'
import { onceBack, RedisWorld, rejection } from './redis-world.ts'

const NOW = Date.now()
const LATER = NOW + 60_000

describe('One-time secrets in Redis', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  const pair = async ({ url }: RedisServer): Promise<[Transient, Transient]> => [
    (await world.stores(url)).transient,
    (await world.stores(url)).transient,
  ]
  /** 64 concurrent takes, half of them in each process: their results, and how many got no answer. */
  async function race(racers: readonly [Transient, Transient], key: string): Promise<[won: string[], unknown: number]> {
    const takes = Array.from({ length: 64 }, (_, n) => (racers[n % 2] as Transient).take(key, NOW))
    const settled = await Promise.allSettled(takes)
    const won = settled.flatMap((one) => (one.status === 'fulfilled' && one.value !== null ? [one.value] : []))
    for (const one of settled) if (one.status === 'rejected') expect(one.reason.name).to.equal('RedisUnavailable')
    return [won, settled.filter(({ status }) => status === 'rejected').length]
  }

  it('are taken by exactly one of 64 concurrent calls in two processes', async () => {
    const racers = await pair(await world.server())
    for (let round = 0; round < 20; round++) {
      await racers[0].put('c', `value ${round}`, { nowMs: NOW, expiresMs: LATER })
      expect(await race(racers, 'c')).to.deep.equal([[`value ${round}`], 0])
    }
  })

  for (const fsync of ['always', 'everysec'] as const) {
    it(`are taken at most once if Redis is killed during the race (appendfsync ${fsync})`, async () => {
      const server = await world.server({ fsync })
      const racers = await pair(server)
      let unanswered = 0
      for (let round = 0; round < 5; round++) {
        await onceBack(() => racers[0].put('c', `value ${round}`, { nowMs: NOW, expiresMs: LATER }))
        const racing = race(racers, 'c')
        if (round % 2 === 0) await turn()
        await server.kill()
        const [first, unknown] = await racing
        await server.start()
        await Promise.all(racers.map((racer) => onceBack(() => racer.take('other', NOW))))
        const [second] = await race(racers, 'c')
        expect(first.length + second.length).to.be.at.most(1)
        unanswered += unknown
      }
      expect(unanswered).to.be.above(0)
    })
  }

  it('are invalid after a restart, also with appendfsync always', async () => {
    const server = await world.server({ fsync: 'always' })
    const racers = await pair(server)
    await racers[0].put('c', 'value', { nowMs: NOW, expiresMs: LATER })
    await server.kill()
    await server.start()
    expect(await onceBack(() => racers[1].take('c', NOW))).to.equal(null)
  })

  it('are invalid if Redis may have lost the record that they were taken', async () => {
    const server = await world.server({ fsync: 'everysec' })
    const racers = await pair(server)
    await racers[0].put('c', 'value', { nowMs: NOW, expiresMs: LATER })
    await racers[0].put('d', 'value', { nowMs: NOW, expiresMs: LATER })
    await world.command(server.url, 'SAVE')
    await cp(server.folder, `${server.folder}-copy`, { recursive: true })
    expect(await racers[1].take('c', NOW)).to.equal('value')
    await server.kill()
    await rm(server.folder, { recursive: true })
    await cp(`${server.folder}-copy`, server.folder, { recursive: true })
    await rm(`${server.folder}-copy`, { recursive: true })
    await server.start()
    expect(
      await onceBack(() => world.command(server.url, 'EXISTS', 'scorebook:secret:c', 'scorebook:secret:d')),
    ).to.equal(2)
    expect(await onceBack(() => racers[0].take('c', NOW))).to.equal(null)
    expect(await onceBack(() => racers[1].take('d', NOW))).to.equal(null)
  })

  it('are invalid if the answer to a take was lost, and the take is not repeated', async () => {
    const { url } = await world.server()
    const way = await world.lossy(url)
    const [near, far] = [(await world.stores(way.url)).transient, (await world.stores(url)).transient]
    await near.put('c', 'value', { nowMs: NOW, expiresMs: LATER })
    way.lose()
    const takes = [near.take('c', NOW), near.take('c', NOW)]
    for (const take of takes) expect((await rejection(take)).name).to.equal('RedisUnavailable')
    way.repair()
    expect(await far.take('c', NOW)).to.equal(null)
    expect(await onceBack(() => near.take('c', NOW))).to.equal(null)
    const calls = String(await world.command(url, 'INFO', 'commandstats')).match(/cmdstat_getdel:calls=(\d+)/)?.[1]
    expect(calls).to.equal('4')
  })

  it('are refused if Redis is out of memory, while existing ones can be taken', async () => {
    const { url } = await world.server()
    const { transient, rates } = await world.stores(url)
    await transient.put('c', 'value', { nowMs: NOW, expiresMs: LATER })
    await world.command(url, 'CONFIG', 'SET', 'maxmemory', '1')
    for (const call of [
      () => transient.put('d', 'value', { nowMs: NOW, expiresMs: LATER }),
      () => transient.claim('m', 'a', NOW, LATER),
      () => rates.take([{ key: 'a', perSecond: 1, burst: 1 }], NOW),
    ]) {
      expect((await rejection(call())).message).to.match(/no memory left .*Raise maxmemory/)
    }
    expect(await transient.take('c', NOW)).to.equal('value')
  })

  it('keep any text, expire on time, and refuse invalid times', async () => {
    const { url } = await world.server()
    const { transient } = await world.stores(url)
    for (const value of ['', ' ', 'a b\nc\r\n', '{"ünï":"☃"}', '1 2 3']) {
      await transient.put('c', value, { nowMs: NOW, expiresMs: LATER })
      expect(await transient.take('c', NOW)).to.equal(value)
    }
    await transient.put('c', 'value', { nowMs: NOW, expiresMs: NOW + 30_000 })
    expect(await world.command(url, 'PTTL', 'scorebook:secret:c')).to.be.within(1, 30_000)
    await transient.put('c', 'value', { nowMs: NOW, expiresMs: NOW })
    expect(await world.command(url, 'EXISTS', 'scorebook:secret:c')).to.equal(0)
    await transient.claim('m', 'an owner', NOW, NOW + 30_000)
    expect(await world.command(url, 'PTTL', 'scorebook:mark:m')).to.be.within(1, 30_000)
    await transient.release('m', 'owner')
    expect(await transient.claim('m', 'b', NOW, LATER)).to.equal(false)
    await transient.release('m', 'an owner')
    expect(await transient.claim('m', 'b', NOW, LATER)).to.equal(true)
    for (const [now, then] of [
      [Number.NaN, LATER],
      [NOW, NOW + 0.5],
      [NOW, Number.POSITIVE_INFINITY],
    ] as const) {
      expect((await rejection(transient.put('c', 'value', { nowMs: now, expiresMs: then }))).name).to.equal(
        'RangeError',
      )
      expect((await rejection(transient.claim('c', 'a', now, then))).name).to.equal('RangeError')
    }
  })
})

describe('Token buckets in Redis', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  it('admit their burst once over any number of concurrent processes', async () => {
    const { url } = await world.server()
    const both = [(await world.stores(url)).rates, (await world.stores(url)).rates]
    const asked = Array.from({ length: 100 }, (_, n) => both[n % 2]?.take([{ key: 'a', perSecond: 1, burst: 30 }], NOW))
    const states = (await Promise.all(asked)).flatMap((one) => one ?? [])
    expect(states.filter(({ admitted }) => admitted)).to.have.length(30)
    expect(states.filter(({ admitted }) => !admitted).every(({ retryAfterMs }) => retryAfterMs === 1_000)).to.equal(
      true,
    )
  })

  it('are deleted when they would be full again, and refuse rates that could never admit', async () => {
    const { url } = await world.server()
    const { rates } = await world.stores(url)
    await rates.take([{ key: 'a', perSecond: 0.1, burst: 5 }], NOW)
    expect(await world.command(url, 'PTTL', 'scorebook:rate:a')).to.be.within(60_001, 70_000)
    for (const spec of [
      { perSecond: 0, burst: 1 },
      { perSecond: 1, burst: 0 },
      { perSecond: Number.NaN, burst: 1 },
    ]) {
      expect((await rejection(rates.take([{ key: 'a', ...spec }], NOW))).name).to.equal('RangeError')
    }
  })

  it('count from the present time if the clock was set far back', async () => {
    const { url } = await world.server()
    const { rates } = await world.stores(url)
    const bucket = [{ key: 'a', perSecond: 1, burst: 1 }]
    expect((await rates.take(bucket, NOW))[0]?.admitted).to.equal(true)
    expect((await rates.take(bucket, NOW - 3_600_000))[0]?.admitted).to.equal(false)
    expect((await rates.take(bucket, NOW - 3_599_000))[0]?.admitted).to.equal(true)
  })
})
