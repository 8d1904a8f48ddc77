// Random histories of a board with seasons against a model of all submissions: ways to count, bans and their ends,
// deletions, rule changes, schedules that change, and clock steps. `npm run proof:seasons -- histories` plays 10,000.

import { expect } from 'chai'
import { SEED, sized } from '../seeds.ts'
import { proveSeasonHistories } from './prove-season-histories.ts'

const HISTORIES = sized(40, 1_000)

describe('the seasons of a leaderboard', () => {
  it(`have the rows, ranks, counts and standings of the model in ${HISTORIES} random histories`, async () => {
    expect(await proveSeasonHistories({ histories: HISTORIES, firstSeed: SEED })).to.deep.equal([])
  }).timeout(900_000)
})
