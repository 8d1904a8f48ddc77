// The real process, killed while it deletes a game and players: at random moments, and in every state that its files go
// through.

import { expect } from 'chai'
import { SEED } from '../seeds.ts'
import { proveStates } from './deletion-states.ts'
import { deletionOfGame, deletionOfPlayers } from './deletions.ts'
import { proveDeletions } from './prove-deletions.ts'

const KILLS = 4

describe('kill -9 during deletions', () => {
  it(`leaves nothing of what was deleted, and says nothing too early, over ${KILLS} kills of each`, async function () {
    this.timeout(240_000)
    const { kills, faults } = await proveDeletions({ kills: KILLS, seed: SEED })
    expect(faults).to.deep.equal([])
    expect(kills).to.be.at.least(2 * KILLS)
  })
})

describe('a kill in any state of the files of a data folder', () => {
  it('while a game is deleted leaves nothing of the game once the next server has settled', async function () {
    this.timeout(300_000)
    const { states, faults } = await proveStates(deletionOfGame)
    expect(faults).to.deep.equal([])
    expect(states).to.be.greaterThan(20)
  })

  it('while players are deleted leaves none of their texts once the next server has settled', async function () {
    this.timeout(300_000)
    const { states, faults } = await proveStates(deletionOfPlayers, 20)
    expect(faults).to.deep.equal([])
    expect(states).to.be.greaterThan(20)
  })
})
