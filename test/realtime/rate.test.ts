// The rates of one connection, by a clock that the test controls, and those that all connections of a network address
// share.

import { expect } from 'chai'
import { SEARCH_WORK, WORK_PER_NETWORK, WORK_PER_NETWORK_AT_ONCE } from '../../realtime/limits.ts'
import { createNetworkPaces } from '../../realtime/network-pace.ts'
import { Bucket, type Load, Pace } from '../../realtime/rate.ts'
import { DEFAULT_RATE_LIMITS } from '../../runtime/rate-limits.ts'
import { openWorld } from '../front-door/world.ts'
import { closeRoomClients, openRoomsFixture } from './rooms-fixture.ts'

describe('the rates of a connection', () => {
  it('allow a burst of two seconds, then the configured rate', () => {
    const bucket = new Bucket(5, 0)
    const taken = (times: number, nowMs: number) =>
      Array.from({ length: times }, () => bucket.take(5, nowMs)).filter(Boolean).length
    expect(taken(20, 0)).to.equal(10)
    expect(taken(20, 199)).to.equal(0)
    expect(taken(20, 200)).to.equal(1)
    expect(taken(20, 1_200)).to.equal(5)
    expect(taken(20, 60_000)).to.equal(10)
  })

  it('follow a rate that changes', () => {
    const bucket = new Bucket(100, 0)
    const taken = Array.from({ length: 50 }, () => bucket.take(2, 0)).filter(Boolean)
    expect(taken, 'never more than the burst of the rate there is').to.have.length(4)
    expect(bucket.take(2, 499)).to.equal(false)
    expect(bucket.take(2, 500)).to.equal(true)
  })

  it('report a flood above ten times the rate for five seconds in a row', () => {
    const loads = (perSecond: (second: number) => number, seconds: number): Load[] => {
      const pace = new Pace(2, 0)
      return Array.from({ length: seconds }, (_, second) => {
        const sent = perSecond(second)
        const each = Array.from({ length: sent }, (_, n) => pace.arrived(2, second * 1_000 + (n * 1_000) / sent))
        return each.at(-1) ?? 'fine'
      })
    }
    expect(loads(() => 20, 8)).to.deep.equal(Array(8).fill('fine'))
    expect(loads(() => 21, 6)).to.deep.equal([...Array(5).fill('over'), 'flood'])
    expect(loads((second) => (second === 3 ? 20 : 21), 8).includes('flood'), 'a second within the rate').to.equal(false)
    expect(loads((second) => (second === 3 ? 0 : 21), 8).includes('flood'), 'a second of silence').to.equal(false)
  })

  it('report haste if too many frames arrive early in a second', () => {
    const pace = new Pace(100, 0)
    const arrived = (count: number, nowMs: number) =>
      Array.from({ length: count }, () => pace.arrived(100, nowMs))
        .map((load) => load[0])
        .join('')
    expect(arrived(252, 0)).to.equal(`${'f'.repeat(250)}hh`)
    expect(arrived(74, 50)).to.equal(`${'f'.repeat(73)}h`)
    expect(arrived(676, 500)).to.equal(`${'f'.repeat(674)}oo`)
  })

  it('allow two searches a second, and four at once', () => {
    const pace = new Pace(100, 0)
    const searched = (nowMs: number) => Array.from({ length: 9 }, () => pace.search(nowMs)).filter(Boolean).length
    expect([searched(0), searched(499), searched(1_000), searched(9_000)]).to.deep.equal([4, 0, 2, 4])
  })

  it('allow thirty attempts to join or create a room in ten seconds', () => {
    const pace = new Pace(1, 0)
    const tried = (times: number, nowMs: number) =>
      Array.from({ length: times }, () => pace.attempt(nowMs)).filter(Boolean).length
    expect(tried(40, 0)).to.equal(30)
    expect(tried(1, 9_999)).to.equal(0)
    expect(tried(40, 10_000)).to.equal(30)
  })
})

const LIMITS = { frames: 10, framesAtOnce: 3, work: 10, workAtOnce: 20 }

describe('the rates of one network address', () => {
  it('are shared by its connections, and pause those that send frames above the rate', () => {
    const paces = createNetworkPaces(LIMITS)
    const [one, same, other] = [paces.of('a'), paces.of('a'), paces.of('b')]
    expect([one.frame(0), same.frame(0), one.frame(0)]).to.deep.equal([0, 0, 0])
    expect([same.frame(0), one.frame(0), other.frame(0)]).to.deep.equal([100, 200, 0])
    expect([one.frame(100), one.frame(1_000)]).to.deep.equal([200, 0])
  })

  it('allow work up to the burst, and more as it refills', () => {
    const pace = createNetworkPaces(LIMITS).of('a')
    expect([pace.work(20, 0), pace.work(1, 0), pace.work(1, 100)]).to.deep.equal([true, false, true])
    expect([pace.work(21, 60_000), pace.work(20, 60_000)]).to.deep.equal([false, true])
  })

  it('do not apply if networks are not counted', () => {
    const pace = createNetworkPaces(LIMITS).of(null)
    for (let n = 0; n < 100; n++) expect([pace.frame(0), pace.work(100, 0)]).to.deep.equal([0, true])
  })
})

describe('searches for rooms by many connections of one network address', () => {
  afterEach(() => closeRoomClients())

  it('are refused with too_fast above the rate of the address, though no connection exceeds its own rate', async () => {
    const world = await openWorld({ rateLimits: DEFAULT_RATE_LIMITS })
    try {
      const fixture = await openRoomsFixture(world, { require_player: false })
      const began = performance.now()
      let answered = 0
      let code: string | null = null
      while (code === null) {
        const roomClient = await fixture.enter({ token: fixture.client })
        const answers = await Promise.all(Array.from({ length: 4 }, () => roomClient.ask('rooms', { search: 'x' })))
        answered += answers.filter(({ ok }) => ok).length
        code = answers.find(({ ok }) => !ok)?.code ?? null
        const seconds = (performance.now() - began) / 1_000
        const allowed = (WORK_PER_NETWORK_AT_ONCE + WORK_PER_NETWORK * seconds) / SEARCH_WORK
        expect(answered).to.be.at.most(Math.ceil(allowed))
      }
      expect(code).to.equal('too_fast')
    } finally {
      await world.close()
    }
  })
})
