// The shares of network addresses in a common limit.

import { expect } from 'chai'
import { Budget } from '../../http/connections/budget.ts'

/** Takes one at a time for each address, alternating, until each is refused. Returns how many each has. */
function takeAll(budget: Budget, addresses: readonly string[]): number[] {
  const counts = addresses.map(() => 0)
  for (let before = -1, now = 0; now > before; now = counts.reduce((sum, one) => sum + one, 0)) {
    before = now
    for (const [at, address] of addresses.entries()) {
      if (typeof budget.take(address) === 'function') counts[at] = (counts[at] ?? 0) + 1
    }
  }
  return counts
}

describe('Budget', () => {
  it('lets one address take its own limit', () => {
    expect(takeAll(new Budget({ perAddress: 300, perProcess: 900 }), ['a'])).to.deep.equal([300])
  })

  it('leaves as much to others as each of eight addresses takes at most', () => {
    const budget = new Budget({ perAddress: 300, perProcess: 900 })
    expect(takeAll(budget, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])).to.deep.equal(Array(8).fill(100))
    expect(budget.take('a')).to.equal('address')
    expect(budget.take('newcomer')).to.be.a('function')
  })

  it('lets the networks of one IPv6 customer take twice as much in a /56 and four times as much in a /48', () => {
    const budget = new Budget({ perAddress: 10, perProcess: 1_000 })
    const amountOf = (from: number, count: number) => {
      const addresses = Array.from({ length: count }, (_, n) => `2001:db8:1:${(from + n).toString(16)}::/64`)
      return takeAll(budget, addresses).reduce((sum, one) => sum + one, 0)
    }
    expect(amountOf(0x100, 8)).to.equal(20)
    expect(amountOf(0x200, 8)).to.equal(20)
    expect(amountOf(0x300, 8)).to.equal(0)
    expect(takeAll(budget, ['2001:db8:2:0::/64', '192.0.2.1'])).to.deep.equal([10, 10])
  })

  it('releases what the wider networks of an address hold', () => {
    const budget = new Budget({ perAddress: 1, perProcess: 100 })
    for (let n = 0; n < 10; n++) {
      const release = budget.take(`2001:db8:1:${n}::/64`)
      expect(release).to.be.a('function')
      if (typeof release === 'function') release()
    }
    expect(budget.inUse).to.equal(0)
  })

  it('lets addresses without an own limit take all of the process', () => {
    const budget = new Budget({ perAddress: Number.POSITIVE_INFINITY, perProcess: 10 })
    expect(takeAll(budget, ['a'])).to.deep.equal([10])
    expect(budget.take('b')).to.equal('process')
  })
})
