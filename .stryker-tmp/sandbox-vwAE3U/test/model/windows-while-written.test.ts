// Windows answered from an index while a board is written to all the time: never refused, in order, with what the
// caller wrote in them; and in the end the same as counting.

import { expect } from 'chai'
import { fastHistory } from './windows-load.ts'

describe('windows of a board that is written to all the time', () => {
  for (const unique of [true, false]) {
    it(`are answered, and right (${unique ? 'unique' : 'not unique'})`, async () => {
      const { answers, refused, made, differing, counted } = await fastHistory({ unique, writers: 6, writes: 20 })
      expect({ refused, differing }).to.deep.equal({ refused: [], differing: [] })
      expect(answers).to.be.greaterThan(120)
      expect(made).to.be.greaterThan(0)
      expect(counted, 'of all answers').to.be.below(answers / 2)
    }).timeout(120_000)
  }
})
