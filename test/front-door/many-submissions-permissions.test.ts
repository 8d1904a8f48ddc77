// Who may send many submissions, and for whom: permissions, games, leaderboards by key, and players by external id.

import { expect } from 'chai'
import { clientToken, keyToken, type MadeGame, makeBoard, makeGame, makePlayer, signInGuest } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, type World } from './world.ts'

describe('many submissions in one call, by permission', () => {
  let world: World
  let game: MadeGame
  let tenant: Tenant
  let board: string
  let other: string
  let player: string

  before(async () => {
    tenant = await openTenant()
    ;({ world, game } = tenant)
    player = await makePlayer(world, game)
  })
  beforeEach(async () => {
    board = await makeBoard(world, game)
    other = await makeBoard(world, game)
  })

  const send = (submissions: unknown, token = game.token, of = game.id) =>
    world.call('POST', `/api/gm/${of}/scores/`, { token, body: { submissions } })
  const results = async (submissions: unknown, token?: string): Promise<Body[]> =>
    must(await send(submissions, token), 200).results
  const on = (leaderboard: string, more: object = {}) => ({ leaderboard, player, score: '1', ...more })
  const codes = (all: readonly Body[]) =>
    all.map(({ status, code }) => (code === undefined ? `${status}` : `${status} ${code}`))

  it('are refused to client keys, players and the operator', async () => {
    const client = await clientToken(world, game)
    const guest = await signInGuest(world, game, client)
    expect(answerCode(await send([on(board)], client))).to.equal('403 tenant_only')
    expect(answerCode(await send([on(board)], guest.token))).to.equal('403 tenant_only')
    expect(answerCode(await send([on(board)], tenant.operator))).to.equal('404 game_not_found')
    expect(must(await tenant.get(`/api/lb/${board}/score/`), 200).scores).to.deep.equal([])
  })

  it('are 404 in the path of another game or of none, and nothing is recorded', async () => {
    const foreign = await makeGame(world)
    for (const of of [foreign.id, 'a'.repeat(24)]) {
      expect(answerCode(await send([on(board)], game.token, of))).to.equal('404 game_not_found')
    }
    expect(must(await tenant.get(`/api/lb/${board}/score/`), 200).scores).to.deep.equal([])
  })

  it('need lb:<id>:submit of each leaderboard, and one of the two submit_for', async () => {
    const one = await keyToken(world, game, { permissions: [`lb:${board}:submit`, 'submit_for'] })
    const refused = await results([on(other), on(board), on(other)], one)
    expect(codes(refused)).to.deep.equal(['403 permission_needed', '201', '403 permission_needed'])
    expect(refused[0]).to.deep.include({ needed: `lb:${other}:submit` })

    const onlyFor = await keyToken(world, game, { permissions: [`lb:${board}:submit_for`] })
    const [lacksSubmit] = await results([on(board)], onlyFor)
    expect(lacksSubmit).to.deep.include({ status: 403, code: 'permission_needed', needed: `lb:${board}:submit` })

    const perBoard = [`lb:${board}:submit`, `lb:${board}:submit_for`, `lb:${other}:submit`]
    const both = await results([on(board), on(other)], await keyToken(world, game, { permissions: perBoard }))
    expect(codes(both)).to.deep.equal(['200', '403 permission_needed'])
    expect(both[1]?.needed).to.equal('submit_for')

    const none = await results([on(board)], await keyToken(world, game, { permissions: ['gm:*:details'] }))
    expect(codes(none)).to.deep.equal(['403 permission_needed'])
  })

  it('name leaderboards by key, and what a refusal needs by what was sent', async () => {
    await makeBoard(world, game, { key: 'weekly' })
    const all = await results([on('weekly'), on('monthly'), on('weekly', { score: '2' })])
    expect(codes(all)).to.deep.equal(['201', '404 leaderboard_not_found', '200'])
    const one = await keyToken(world, game, { permissions: [`lb:${board}:submit`, 'submit_for'] })
    const [refused] = await results([on('weekly')], one)
    expect(refused).to.deep.include({ code: 'permission_needed', needed: 'lb:weekly:submit' })
  })

  it('find no leaderboards or players of another game', async () => {
    const foreign = await makeGame(world)
    const foreignBoard = await makeBoard(world, foreign)
    const foreignPlayer = await makePlayer(world, foreign)
    must(
      await world.call('POST', `/api/gm/${foreign.id}/players/`, {
        token: foreign.token,
        body: { name: 'Eve', external_id: 'of another' },
      }),
      201,
    )
    const all = await results([
      on(foreignBoard),
      on(board, { player: foreignPlayer }),
      { leaderboard: board, external_id: 'of another', score: '1' },
      on(board),
    ])
    expect(codes(all)).to.deep.equal(['404 leaderboard_not_found', '422 unknown_player', '422 unknown_player', '201'])
  })

  it('find players by external id, and refuse banned and deleted ones in their own results', async () => {
    const make = async (external_id: string): Promise<string> =>
      must(await tenant.post(`/api/gm/${game.id}/players/`, { name: external_id, external_id }), 201).id
    const [good, banned, deleted] = [await make('good'), await make('banned'), await make('deleted')]
    must(await tenant.post(`/api/gm/${game.id}/players/${banned}/ban/`, {}), 200)
    must(await tenant.remove(`/api/gm/${game.id}/players/${deleted}/`), 200)
    const by = (external_id: string) => ({ leaderboard: board, external_id, score: '3' })
    const all = await results([
      by('banned'),
      by('deleted'),
      by('good'),
      on(board, { player: banned }),
      on(board, { player: deleted }),
    ])
    expect(codes(all)).to.deep.equal([
      '403 player_banned',
      '422 unknown_player',
      '201',
      '403 player_banned',
      '422 unknown_player',
    ])
    expect(all[2]?.score.player).to.equal(good)
    const single = await tenant.post(`/api/lb/${board}/score/`, { player: banned, score: '3' })
    expect(all[3]).to.deep.include({ status: single.status, code: single.body.code, detail: single.body.detail })
  })

  it('show the name that is sent with a score, and else the player’s', async () => {
    const all = await results([on(board, { player_name: 'Ada of Team Blue' }), on(other)])
    expect(all.map(({ score }) => score.player_name)).to.deep.equal(['Ada of Team Blue', 'Ada'])
    const [refused] = await results([on(board, { player_name: '' })])
    expect([refused?.code, refused?.errors[0].pointer]).to.deep.equal(['malformed', '/player_name'])
  })

  it('are refused in archived leaderboards as those that do not exist', async () => {
    must(await tenant.remove(`/api/lb/${other}/`), 200)
    expect(codes(await results([on(other), on(board)]))).to.deep.equal(['404 leaderboard_not_found', '201'])
  })
})
