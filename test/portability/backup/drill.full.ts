// The restore drill of operations.md, with kills during the backups.

import { expect } from 'chai'
import { SEED } from '../../seeds.ts'
import { proveBackups } from './drill.ts'

const KILLS = 6

describe('backups under load', () => {
  it(`lose no acknowledged submission, over ${KILLS} killed backups and a restore`, async function () {
    this.timeout(120_000)
    const { ended, promised, faults } = await proveBackups({ kills: KILLS, seed: SEED })
    expect(faults).to.deep.equal([])
    expect(ended).to.be.at.least(2)
    expect(promised).to.be.greaterThan(KILLS * 10)
  })
})
