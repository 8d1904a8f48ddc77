// Positions: how far several have come together.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { leastPosition } from '../../domain/event.ts'

describe('the least of several positions', () => {
  it('is the one that comes first, and the beginning where one is there or there are none', () => {
    expect(leastPosition(['b', 'a', 'c'])).to.equal('a')
    expect(leastPosition(new Set(['b']))).to.equal('b')
    expect(leastPosition([null, 'a'])).to.equal(null)
    expect(leastPosition(['a', null])).to.equal(null)
    expect(leastPosition([])).to.equal(null)
  })
})
