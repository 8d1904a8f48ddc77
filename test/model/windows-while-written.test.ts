// Indexed windows of a board under constant writes: never refused, ordered, with the caller’s own writes, and finally
// equal to counted ones.

import { expect } from 'chai'
import { fastHistory } from './windows-load.ts'

describe('windows of a board under constant writes', () => {
  for (const [kind, unique, keep] of [
    ['best', true, 'best'],
    ['latest', true, 'latest'],
    ['total', true, 'total'],
    ['not unique', false, 'best'],
  ] as const) {
    it(`are answered correctly (${kind})`, async () => {
      const load = { unique, keep, writers: 6, writes: 20 }
      const { answers, refused, made, differing, counted } = await fastHistory(load)
      expect({ refused, differing }).to.deep.equal({ refused: [], differing: [] })
      expect(answers).to.be.greaterThan(120)
      expect(made).to.be.greaterThan(0)
      expect(counted, 'of all answers').to.be.below(answers / 2)
    }).timeout(120_000)
  }
})
