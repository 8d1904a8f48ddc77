import { expect } from 'chai'
import { concerns } from '../../console/src/tags.ts'

describe('console: what an action changes', () => {
  it('concerns reads of the same thing, and of all things of its kind', () => {
    expect(concerns(['player:p1'], ['player:p1'])).to.equal(true)
    expect(concerns(['board:b1', 'player'], ['player:p1'])).to.equal(true)
    expect(concerns(['player:p1'], ['player'])).to.equal(true)
    expect(concerns(['player'], ['player'])).to.equal(true)
  })

  it('concerns no reads of another thing or kind', () => {
    expect(concerns(['player:p1'], ['player:p2'])).to.equal(false)
    expect(concerns(['player:p1'], ['player:p11'])).to.equal(false)
    expect(concerns(['board', 'key:k'], ['player:p1'])).to.equal(false)
    expect(concerns([], ['player'])).to.equal(false)
    expect(concerns(['player'], [])).to.equal(false)
  })
})
