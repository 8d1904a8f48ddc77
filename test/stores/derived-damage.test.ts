// Random damage of the files that are built from the log: nothing that is read is wrong, and nothing that is appended
// makes the log wrong.

import { expect } from 'chai'
import { SEED, sized } from '../seeds.ts'
import { proveDamagedLogs, proveDamagedViews, proveSealedDamage } from './check-after-damage.ts'

const ROUNDS = sized(30, 60)

/** 60 damages take 6 s on an idle processor. */
const TIMEOUT_MS = 240_000

describe('damage of the files that are built from the log', function () {
  this.timeout(TIMEOUT_MS)
  it(`of the index and the heads changes no read and no append: ${ROUNDS} damages`, async () => {
    const { faults, repaired } = await proveDamagedLogs(ROUNDS, SEED)
    expect(faults).to.deep.equal([])
    expect(repaired).to.be.greaterThan(ROUNDS / 4)
  })

  it(`of the index that its checksums do not show changes no read and no append: ${ROUNDS} damages`, async () => {
    const { faults, repaired } = await proveSealedDamage(ROUNDS, SEED)
    expect(faults).to.deep.equal([])
    expect(repaired).to.be.greaterThan(ROUNDS / 10)
  })

  it(`of the views is found before anything is read: ${ROUNDS} damages`, async () => {
    const { faults, repaired } = await proveDamagedViews(ROUNDS, SEED)
    expect(faults).to.deep.equal([])
    expect(repaired).to.be.greaterThan(ROUNDS / 4)
  })
})
