// The in-process leases pass their contract on a clock that only moves between steps, so results are exact to the
// millisecond; with more iterations.

import { expect } from 'chai'
import { BEAT_EVERY_MS, LEASE_MS } from '../../stores/contract/leases.ts'
import { createLeases } from '../../stores/embedded/leases.ts'
import { leasesChecks } from '../contracts/leases.suite.ts'
import { EVERY, holders, type OpenLeases, sharesOf } from '../contracts/leases-model.ts'
import { checkLeaseRules, sharesSettle } from '../contracts/leases-properties.ts'
import { testContract } from '../contracts/test-contract.ts'

const open: OpenLeases = async (leaseMs) => {
  let nowMs = 12_345
  return {
    leases: createLeases(() => nowMs, leaseMs),
    leaseMs,
    now: async () => nowMs,
    pass: async (ms) => {
      nowMs += ms
    },
  }
}

const node = (id: string) => ({ id, group: 'a', uses: [] })

testContract('embedded leases', leasesChecks, async () => open)

describe('embedded leases', () => {
  it('keep every invariant in many random histories', () => checkLeaseRules(open, LEASE_MS, 200))

  it('settle with the minimum of moves in many random histories', () => sharesSettle(open, LEASE_MS, 200))

  it('expire to the millisecond, by the given clock or their own', async () => {
    const { leases, pass } = await open(LEASE_MS)
    await leases.heartbeat(node('dead'))
    await pass(LEASE_MS - 1)
    expect((await leases.heartbeat(node('n-1'))).owned).to.deep.equal([])
    await pass(1)
    expect((await leases.heartbeat(node('n-1'))).owned).to.deep.equal(EVERY)
    const alone = createLeases()
    expect((await alone.heartbeat(node('n-1'))).owned).to.deep.equal(EVERY)
    expect((await alone.heartbeat(node('n-2'))).owned).to.deep.equal([])
  })

  it('are evenly distributed over the live nodes one lease and one heartbeat after nodes died', async () => {
    for (let dead = 1; dead < 8; dead++) {
      const { leases, pass } = await open(LEASE_MS)
      const ids = EVERY.slice(0, 8).map((n) => `n-${n}`)
      for (let round = 0; round < 3; round++) for (const id of ids) await leases.heartbeat(node(id))
      const owned = new Map<string, readonly number[]>()
      const living = ids.slice(dead)
      for (let passedMs = 0; passedMs < LEASE_MS + BEAT_EVERY_MS; passedMs += BEAT_EVERY_MS) {
        await pass(BEAT_EVERY_MS)
        for (const id of living) owned.set(id, (await leases.heartbeat(node(id))).owned)
      }
      expect(holders(owned).size).to.equal(EVERY.length)
      expect([...owned.values()].map(({ length }) => length).sort((a, b) => b - a)).to.deep.equal(
        sharesOf(living.length),
      )
    }
  })
})
