// The lock-out over several nodes, which share their windows and nothing else.

import { expect } from 'chai'
import { createLockOut } from '../../commands/sign-in/lock-out.ts'
import { Refusal } from '../../domain/decider.ts'
import { createRates } from '../../stores/embedded/transient.ts'
import { turn } from '../until.ts'

const NOW = Date.parse('2026-01-01T00:00:00.000Z')
const fails = async () => null

describe('the lock-out', () => {
  it('counts failures of all nodes, even concurrent ones', async () => {
    const rates = createRates()
    const nodes = [createLockOut(rates), createLockOut(rates), createLockOut(rates)]
    let looked = 0
    const guess = async () => {
      looked += 1
      await turn()
      return null
    }
    const attempts = Array.from({ length: 48 }, (_, n) => nodes[n % 3]?.attempt('login', `address-${n}`, NOW, guess))
    const outcomes = await Promise.allSettled(attempts)
    expect(looked).to.equal(5)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(5)
    for (const one of outcomes) {
      if (one.status === 'rejected') expect(one.reason).to.be.instanceOf(Refusal).with.property('code', 'rate_limited')
    }
  })

  it('admits waiting attempts one by one as running ones turn out right', async () => {
    const lockOut = createLockOut(createRates())
    let at = 0
    let most = 0
    const isRight = async () => {
      at += 1
      most = Math.max(most, at)
      await turn()
      at -= 1
      return 'in'
    }
    const attempts = Array.from({ length: 64 }, () => lockOut.attempt('login', 'address', NOW, isRight))
    expect(await Promise.all(attempts)).to.deep.equal(Array(64).fill('in'))
    expect(most).to.equal(5)
  })

  it('does not count an attempt that failed with an error', async () => {
    const lockOut = createLockOut(createRates())
    for (let n = 0; n < 10; n += 1) {
      const broken = lockOut.attempt('login', 'address', NOW, () => Promise.reject(new Error('a store is unavailable')))
      expect(await broken.catch((error: unknown) => String(error))).to.equal('Error: a store is unavailable')
    }
    for (let n = 0; n < 5; n += 1) expect(await lockOut.attempt('login', 'address', NOW, fails)).to.equal(null)
    const refused = await lockOut.attempt('login', 'address', NOW, fails).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(Refusal)
    expect((refused as Refusal).fields).to.deep.equal({ retry_after: 60, policy: 'login' })
  })
})
