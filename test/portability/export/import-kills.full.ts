// `scorebook history import`, killed while it runs.

import { expect } from 'chai'
import { builtProgram } from '../../crash/build.ts'
import { SEED } from '../../seeds.ts'
import { proveImport } from './prove-import.ts'

const KILLS = 3

describe('an import that is killed while it runs', () => {
  before(function () {
    this.timeout(300_000)
    builtProgram()
  })

  it(`is never served partially, and has the same result when run again, over ${KILLS} kills`, async function () {
    this.timeout(180_000)
    const { kills, halves, faults } = await proveImport({ events: 2_000, kills: KILLS, seed: SEED })
    expect(faults).to.deep.equal([])
    expect(kills).to.equal(KILLS)
    expect(halves).to.be.greaterThan(1)
  })
})
