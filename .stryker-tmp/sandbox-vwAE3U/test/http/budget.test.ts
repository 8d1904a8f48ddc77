// What network addresses may hold of a bound that all of them share.

import { expect } from 'chai'
import { Budget } from '../../http/connections/budget.ts'

/** Takes one at a time for each address in turn until each is refused; how many each holds then. */
function takenBy(budget: Budget, addresses: readonly string[]): number[] {
  const held = addresses.map(() => 0)
  for (let before = -1, now = 0; now > before; now = held.reduce((sum, one) => sum + one, 0)) {
    before = now
    for (const [at, address] of addresses.entries()) {
      if (typeof budget.take(address) === 'function') held[at] = (held[at] ?? 0) + 1
    }
  }
  return held
}

describe('Budget', () => {
  it('lets one address take its own bound', () => {
    expect(takenBy(new Budget({ perAddress: 300, perProcess: 900 }), ['a'])).to.deep.equal([300])
  })

  it('leaves as much as each of eight addresses holds to others, where each takes all it can', () => {
    const budget = new Budget({ perAddress: 300, perProcess: 900 })
    expect(takenBy(budget, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])).to.deep.equal(Array(8).fill(100))
    expect(budget.take('a')).to.equal('address')
    expect(budget.take('newcomer')).to.be.a('function')
  })

  it('lets the networks of one IPv6 customer take twice as much in a /56 and four times as much in a /48', () => {
    const budget = new Budget({ perAddress: 10, perProcess: 1_000 })
    const held = (from: number, count: number) => {
      const addresses = Array.from({ length: count }, (_, n) => `2001:db8:1:${(from + n).toString(16)}::/64`)
      return takenBy(budget, addresses).reduce((sum, one) => sum + one, 0)
    }
    expect(held(0x100, 8)).to.equal(20)
    expect(held(0x200, 8)).to.equal(20)
    expect(held(0x300, 8)).to.equal(0)
    expect(takenBy(budget, ['2001:db8:2:0::/64', '192.0.2.1'])).to.deep.equal([10, 10])
  })

  it('gives back what the wider networks of an address held', () => {
    const budget = new Budget({ perAddress: 1, perProcess: 100 })
    for (let n = 0; n < 10; n++) {
      const release = budget.take(`2001:db8:1:${n}::/64`)
      expect(release).to.be.a('function')
      if (typeof release === 'function') release()
    }
    expect(budget.inUse).to.equal(0)
  })

  it('lets addresses without a bound of their own take all of the process', () => {
    const budget = new Budget({ perAddress: Number.POSITIVE_INFINITY, perProcess: 10 })
    expect(takenBy(budget, ['a'])).to.deep.equal([10])
    expect(budget.take('b')).to.equal('process')
  })
})
