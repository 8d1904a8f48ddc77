// Submitting for another player than the signed-in one: who may, for whom, and the order of checks.

import { expect } from 'chai'
import { type BoardFixture, openBoardFixture } from './board-fixture.ts'
import { type Guest, keyToken, type MadeGame, makeGame, makePlayer } from './game-fixtures.ts'
import { answerCode } from './tenant.ts'
import type { World } from './world.ts'

describe('submitting for another player', () => {
  let fixture: BoardFixture
  let world: World
  let game: MadeGame
  let guest: Guest

  before(async () => {
    fixture = await openBoardFixture()
    ;({ world, game, guest } = fixture)
  })
  beforeEach(() => fixture.freshBoard())

  it('requires submit_for, in general or for this board, in addition to submit', async () => {
    const player = await makePlayer(world, game, 'Bob')
    const permissions = [
      ['lb:*:submit'],
      ['submit_for'],
      ['lb:*:submit', 'submit_for'],
      ['lb:*:submit', `lb:${fixture.board}:submit_for`],
      ['lb:*:submit', 'lb:other:submit_for'],
      ['lb:*:*'],
    ]
    const outcomes = []
    for (const list of permissions) {
      const { status, body } = await fixture.submit(
        { score: '1', player },
        await keyToken(world, game, { permissions: list }),
      )
      outcomes.push(body.needed ?? status)
    }
    expect(outcomes).to.deep.equal(['submit_for', `lb:${fixture.board}:submit`, 201, 200, 'submit_for', 200])
  })

  it('lets a client name the signed-in player, and refuses others with 403', async () => {
    expect((await fixture.submit({ score: '1', player: guest.id })).status).to.equal(201)
    const other = await makePlayer(world, game, 'Bob')
    expect(answerCode(await fixture.submit({ score: '1', player: other }))).to.equal('403 permission_needed')
    expect(answerCode(await fixture.submit({ score: '1', player: 'nobody' }))).to.equal('403 permission_needed')
  })

  it('refuses a player outside the game with 422 unknown_player', async () => {
    const elsewhere = await makeGame(world)
    const stranger = await makePlayer(world, elsewhere)
    for (const player of [stranger, 'nobody', game.id]) {
      expect(answerCode(await fixture.submit({ score: '1', player }, game.token))).to.equal('422 unknown_player')
    }
  })

  it('refuses a submission without a player with 422 player_required', async () => {
    expect(answerCode(await fixture.submit({ score: '1' }, game.token))).to.equal('422 player_required')
  })

  it('checks in the order 400, 404, 422', async () => {
    expect(answerCode(await fixture.submit({ score: 'x' }, game.token, 'nosuchboard'))).to.equal('400 malformed')
    expect(answerCode(await fixture.submit({ score: '1' }, game.token, 'nosuchboard'))).to.equal(
      '404 leaderboard_not_found',
    )
    expect(answerCode(await fixture.submit({ score: '1', player: 'nobody' }, game.token, 'nosuchboard'))).to.equal(
      '404 leaderboard_not_found',
    )
  })
})
