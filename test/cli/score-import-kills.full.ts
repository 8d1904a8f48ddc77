// The command that imports scores, and the server under it, killed.

import { expect } from 'chai'
import { SEED } from '../seeds.ts'
import { proveImport } from './prove-import.ts'

const ROWS = 20_000

describe('scorebook score import, killed', () => {
  it(`records each of ${ROWS} rows once and reports each wrong one once, over three kills`, async function () {
    this.timeout(300_000)
    const { rows, faults } = await proveImport({ rows: ROWS, kills: 3, ofServer: 1, seed: SEED })
    expect(faults).to.deep.equal([])
    expect(rows).to.equal(ROWS)
  })
})
