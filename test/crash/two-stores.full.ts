// What is written to two stores: docs/two-stores.md lists the places.

import { expect } from 'chai'
import { proveBoardKeys } from './board-key-states.ts'
import { proveTwoStores } from './two-stores.ts'

const STARTS = 6

describe('a kill between two stores', () => {
  it(`leaves no part of a fact once the next server has settled, at ${STARTS} of the states of the files`, async function () {
    this.timeout(600_000)
    const { states, faults } = await proveTwoStores(STARTS)
    expect(faults).to.deep.equal([])
    expect(states).to.be.greaterThan(100)
  })

  it('leaves every key of a leaderboard with one or free, at each state of the log while keys are given and removed', async function () {
    this.timeout(300_000)
    const { states, faults } = await proveBoardKeys()
    expect(faults).to.deep.equal([])
    expect(states).to.be.greaterThan(20)
  })
})
