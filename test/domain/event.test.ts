// The lowest of several positions.

import { expect } from 'chai'
import { leastPosition } from '../../domain/event.ts'

describe('the lowest of several positions', () => {
  it('is the first one, and null if one is null or there are none', () => {
    expect(leastPosition(['b', 'a', 'c'])).to.equal('a')
    expect(leastPosition(new Set(['b']))).to.equal('b')
    expect(leastPosition([null, 'a'])).to.equal(null)
    expect(leastPosition(['a', null])).to.equal(null)
    expect(leastPosition([])).to.equal(null)
  })
})
