// All connections of one network address share what a node reads and does for it.

import { expect } from 'chai'
import { DEFAULT_RATE_LIMITS } from '../../http/pipeline/rates.ts'
import { SEARCH_WORK, WORK_PER_NETWORK, WORK_PER_NETWORK_AT_ONCE } from '../../realtime/limits.ts'
import { createNetworkPaces } from '../../realtime/network-pace.ts'
import { openWorld } from '../front-door/world.ts'
import { closeVisitors, openParty } from './party.ts'

const LIMITS = { frames: 10, framesAtOnce: 3, work: 10, workAtOnce: 20 }

describe('the pace of one network address', () => {
  it('is shared by its connections: frames over it rest for as long as they are ahead of it', () => {
    const paces = createNetworkPaces(LIMITS)
    const [one, same, other] = [paces.of('a'), paces.of('a'), paces.of('b')]
    expect([one.frame(0), same.frame(0), one.frame(0)]).to.deep.equal([0, 0, 0])
    expect([same.frame(0), one.frame(0), other.frame(0)]).to.deep.equal([100, 200, 0])
    expect([one.frame(100), one.frame(1_000)]).to.deep.equal([200, 0])
  })

  it('allows work up to its cost, and again as it comes back, never more than at once', () => {
    const pace = createNetworkPaces(LIMITS).of('a')
    expect([pace.work(20, 0), pace.work(1, 0), pace.work(1, 100)]).to.deep.equal([true, false, true])
    expect([pace.work(21, 60_000), pace.work(20, 60_000)]).to.deep.equal([false, true])
  })

  it('is not counted where networks are not', () => {
    const pace = createNetworkPaces(LIMITS).of(null)
    for (let n = 0; n < 100; n++) expect([pace.frame(0), pace.work(100, 0)]).to.deep.equal([0, true])
  })
})

describe('searches for rooms by many connections of one network address', () => {
  afterEach(() => closeVisitors())

  it('are refused with too_fast over what the address may have done, though no connection is over its own rate', async () => {
    const world = await openWorld({ rateLimits: DEFAULT_RATE_LIMITS })
    try {
      const party = await openParty(world, { require_player: false })
      const began = performance.now()
      let answered = 0
      let code: string | null = null
      while (code === null) {
        const visitor = await party.enter({ token: party.client })
        const answers = await Promise.all(Array.from({ length: 4 }, () => visitor.ask('rooms', { search: 'x' })))
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
