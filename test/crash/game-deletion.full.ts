// Kills a server while it deletes a game: the next start continues, and admits nobody to the game meanwhile.

import { expect } from 'chai'
import { deleteGame, type GameToDelete, makeGameToDelete, untilErased } from '../front-door/game-to-delete.ts'
import { storedWith } from '../front-door/stored-texts.ts'
import { answerCode } from '../front-door/tenant.ts'
import { must, tokenOf } from '../front-door/world.ts'
import { pause } from '../until.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'

const MARKER = 'Qzkilled'

describe('a server that is killed while it deletes a game', () => {
  let world: ProcessWorld
  let doomed: GameToDelete

  before(async function () {
    this.timeout(120_000)
    world = await openProcessWorld({ RATE_LIMITS: 'off' })
    doomed = await makeGameToDelete(world, MARKER)
  })
  after(() => world.close())

  it('rejects the tokens of the game after each start, and finally removes every byte of it', async () => {
    must(await deleteGame(world, doomed.game.id, doomed.name), 202)
    // Before the removal, while it waits, and about when it runs.
    for (const afterMs of [0, 1_500, 3_100]) {
      await pause(afterMs)
      await world.end('SIGKILL')
      await world.begin()
      const refused = await world.call('GET', `/api/lb/${doomed.board}/score/`, { token: doomed.player.token })
      expect(answerCode(refused)).to.equal('401 token_rejected')
    }
    await untilErased(world, doomed.game.id)
    expect(await storedWith(world, MARKER)).to.deep.equal([])
    const token = await tokenOf(world, world.operator)
    const { text } = await world.call('GET', '/api/sys/verify/', { token })
    const { equal, differences } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').result
    expect({ equal, differences }).to.deep.equal({ equal: true, differences: [] })
  }).timeout(90_000)
})
