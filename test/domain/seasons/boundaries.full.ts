// Boundaries of seasons in years with unusual clock changes, against each minute of tzdata. `npm run proof:seasons`
// compares thirty zones over ten years.

import { expect } from 'chai'
import { compareBoundaries, oraclePython, type Span } from './compare-boundaries.ts'
import { UNUSUAL } from './spans.ts'

const INSTALL_TIMEOUT_MS = 120_000
const COMPARE_TIMEOUT_MS = 120_000

describe('the boundaries of seasons', function () {
  this.timeout(COMPARE_TIMEOUT_MS)
  let python = ''

  before(async function () {
    this.timeout(INSTALL_TIMEOUT_MS)
    python = await oraclePython()
  })

  for (const span of UNUSUAL) {
    it(`are those of each minute of ${name(span)}`, async () => {
      const { boundaries, differences } = await compareBoundaries(python, [span])
      expect(differences).to.deep.equal([])
      expect(boundaries).to.be.greaterThan(8_760 * (span.until - span.from))
    })
  }
})

function name({ zone, from, until }: Span): string {
  return `${zone} in ${from}${until > from + 1 ? ` to ${until - 1}` : ''}`
}
