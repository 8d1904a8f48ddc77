// Submitting for another player than the one signed in: who may, for whom, and what is looked at first.

import { expect } from 'chai'
import { type Arena, openArena } from './arena.ts'
import { type Guest, keyToken, type MadeGame, makeGame, makePlayer } from './scenery.ts'
import { outcome } from './tenant.ts'
import type { World } from './world.ts'

describe('submitting for another player', () => {
  let arena: Arena
  let world: World
  let game: MadeGame
  let guest: Guest

  before(async () => {
    arena = await openArena()
    ;({ world, game, guest } = arena)
  })
  beforeEach(() => arena.freshBoard())

  it('needs submit_for, plain or of this arena.board, beside submit', async () => {
    const player = await makePlayer(world, game, 'Bob')
    const permissions = [
      ['lb:*:submit'],
      ['submit_for'],
      ['lb:*:submit', 'submit_for'],
      ['lb:*:submit', `lb:${arena.board}:submit_for`],
      ['lb:*:submit', 'lb:other:submit_for'],
      ['lb:*:*'],
    ]
    const outcomes = []
    for (const list of permissions) {
      const { status, body } = await arena.submit(
        { score: '1', player },
        await keyToken(world, game, { permissions: list }),
      )
      outcomes.push(body.needed ?? status)
    }
    expect(outcomes).to.deep.equal(['submit_for', `lb:${arena.board}:submit`, 201, 200, 'submit_for', 200])
  })

  it('a client may name the player signed in, and nobody else', async () => {
    expect((await arena.submit({ score: '1', player: guest.id })).status).to.equal(201)
    const other = await makePlayer(world, game, 'Bob')
    expect(outcome(await arena.submit({ score: '1', player: other }))).to.deep.equal({
      status: 403,
      code: 'permission_needed',
    })
    expect(outcome(await arena.submit({ score: '1', player: 'nobody' }))).to.deep.equal({
      status: 403,
      code: 'permission_needed',
    })
  })

  it('must be a player of the game: 422 unknown_player', async () => {
    const elsewhere = await makeGame(world)
    const stranger = await makePlayer(world, elsewhere)
    for (const player of [stranger, 'nobody', game.id]) {
      expect(outcome(await arena.submit({ score: '1', player }, game.token))).to.deep.equal({
        status: 422,
        code: 'unknown_player',
      })
    }
  })

  it('nobody signed in and none named: 422 player_required', async () => {
    expect(outcome(await arena.submit({ score: '1' }, game.token))).to.deep.equal({
      status: 422,
      code: 'player_required',
    })
  })

  it('in order: 400, then 404, then 422', async () => {
    expect(outcome(await arena.submit({ score: 'x' }, game.token, 'nosuchboard'))).to.deep.equal({
      status: 400,
      code: 'malformed',
    })
    expect(outcome(await arena.submit({ score: '1' }, game.token, 'nosuchboard'))).to.deep.equal({
      status: 404,
      code: 'leaderboard_not_found',
    })
    expect(outcome(await arena.submit({ score: '1', player: 'nobody' }, game.token, 'nosuchboard'))).to.deep.equal({
      status: 404,
      code: 'leaderboard_not_found',
    })
  })
})
