// A process is killed in every state of the files during both deletions.

import { expect } from 'chai'
import { proveStates } from './deletion-states.ts'
import { deletionOfGame, deletionOfPlayers } from './deletions.ts'

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
