// All connections of one network address share the rates of a node.

import { expect } from 'chai'
import { SEARCH_WORK, WORK_PER_NETWORK, WORK_PER_NETWORK_AT_ONCE } from '../../realtime/limits.ts'
import { createNetworkPaces } from '../../realtime/network-pace.ts'
import { DEFAULT_RATE_LIMITS } from '../../runtime/rate-limits.ts'
import { openWorld } from '../front-door/world.ts'
import { closeRoomClients, openRoomsFixture } from './rooms-fixture.ts'

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
