// Submitting scores over HTTP: what the random boards do not cover; and submitting for another player: who may, for
// whom, and the order of checks.

import { expect } from 'chai'
import { type BoardFixture, openBoardFixture } from './board-fixture.ts'
import { type Guest, keyToken, type MadeGame, makeBoard, makeGame, makePlayer } from './game-fixtures.ts'
import { answerCode } from './tenant.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

describe('over HTTP: submitting a score', () => {
  let fixture: BoardFixture
  let world: World
  let game: MadeGame
  let guest: Guest

  before(async () => {
    fixture = await openBoardFixture()
    ;({ world, game, guest } = fixture)
  })
  beforeEach(() => fixture.freshBoard())

  it('answers the first submission with exactly these fields', async () => {
    const now = new Date(world.clock.nowMs).toISOString()
    const extra_data = { level: 3, path: ['a', null, 1.5] }
    const answer = await fixture.submit({ score: '12.50', secondary_score: '-0.0', extra_data })
    const body = must(answer, 201)
    expect(body).to.deep.equal({
      id: body.id,
      player: guest.id,
      player_name: 'Ada',
      score: '12.5',
      secondary_score: '0',
      added: now,
      updated: now,
      extra_data,
      rank: 1,
      improved: true,
      submitted: body.id,
    })
    expect(body.id).to.match(/^[A-Za-z0-9_-]{20,}$/)
    const { rank: _, improved, submitted, ...score } = body
    expect(must(await world.call('GET', `/api/score/${body.id}/`, { token: guest.token }), 200)).to.deep.equal(score)
  })

  it('changes nothing for a worse or equal score, and replaces all but id and added for a better one', async () => {
    const first = must(
      await fixture.submit({ score: '10', secondary_score: '1', extra_data: 1, player_name: 'Nick' }),
      201,
    )
    world.clock.nowMs += 1000
    for (const score of ['9', '10', '10.0']) {
      const answer = must(await fixture.submit({ score, secondary_score: '1', extra_data: 2 }), 200)
      expect(answer).to.deep.equal({ ...first, improved: false, submitted: null })
    }
    expect(must(await fixture.submit({ score: '10' }), 200)).to.deep.equal({
      ...first,
      improved: false,
      submitted: null,
    })
    const better = must(await fixture.submit({ score: '10', secondary_score: '2' }), 200)
    expect(better).to.deep.equal({
      ...first,
      secondary_score: '2',
      extra_data: null,
      player_name: 'Ada',
      updated: new Date(world.clock.nowMs).toISOString(),
      improved: true,
      submitted: null,
    })
  })

  it('accepts scores at the bounds and refuses those beyond with 422', async () => {
    await fixture.freshBoard({ min_score: '-1.5', max_score: '2', unique: false })
    const outcomes = []
    for (const score of ['-1.5', '-1.50', '-1.500000000000000001', '2', '2.0', '2.000000000000000001', '0']) {
      const { status, body } = await fixture.submit({ score })
      outcomes.push(body.code ?? status)
    }
    expect(outcomes).to.deep.equal([201, 201, 'score_below_minimum', 201, 201, 'score_above_maximum', 201])
    expect(must(await fixture.list(), 200).count).to.equal(5)
    expect((await fixture.submit({ score: '3' })).status).to.equal(422)
  })

  it('accepts decimals of 30 digits before and 18 after the point, and nothing else', async () => {
    await fixture.freshBoard({ unique: false })
    const widest = `${'9'.repeat(30)}.${'9'.repeat(18)}`
    const good = ['0', '-0', '0.0', '1.0', widest, `-${widest}`, `0.${'0'.repeat(17)}1`]
    for (const score of good) expect([score, (await fixture.submit({ score })).status]).to.deep.equal([score, 201])
    const bad = [
      '',
      ' 1',
      '1 ',
      '+1',
      '01',
      '-01',
      '.5',
      '5.',
      '1e3',
      '1E3',
      '0x1',
      'NaN',
      'Infinity',
      '1_000',
      '1,5',
      '--1',
      '-',
      `1${'0'.repeat(30)}`,
      `0.${'0'.repeat(18)}1`,
      '１',
      '1\n',
      '9'.repeat(60_000),
    ]
    for (const score of [...bad, 1, 1.5, null, true, [], {}]) {
      const answer = await fixture.submit({ score })
      expect([String(score).slice(0, 20), answerCode(answer)]).to.deep.equal([
        String(score).slice(0, 20),
        '400 malformed',
      ])
      expect(answer.body.errors[0].pointer).to.equal('/score')
    }
    const number = await fixture.submit({ score: 12 })
    expect(number.body.errors).to.deep.equal([
      { pointer: '/score', detail: 'must be a decimal string such as "12.5": a number would lose digits' },
    ])
    expect(answerCode(await fixture.submit({}))).to.equal('400 malformed')
  })

  it('shows the player_name of a score, or the current name of the player without one', async () => {
    await fixture.freshBoard({ unique: false })
    must(await fixture.submit({ score: '1', player_name: 'Zoe\u0308' }), 201)
    must(await fixture.submit({ score: '2', player_name: null }), 201)
    const rename = (name: string) =>
      world.call('PUT', `/api/gm/${game.id}/player/me/`, { token: guest.token, body: { name } })
    must(await rename('Eve'), 200)
    const names = must(await fixture.list(), 200).scores.map((one: { player_name: string }) => one.player_name)
    expect(names).to.deep.equal(['Eve', 'Zo\u00eb'])
    must(await rename('Ada'), 200)
    for (const player_name of ['', ' a', 'a ', 'a\u0007b', 'a\u202eb', 'a\u2028b', 'x'.repeat(65), 1]) {
      const answer = await fixture.submit({ score: '3', player_name })
      expect([player_name, answerCode(answer), answer.body.errors?.[0].pointer]).to.deep.equal([
        player_name,
        '400 malformed',
        '/player_name',
      ])
    }
    expect((await fixture.submit({ score: '3', player_name: '𝔘'.repeat(64) })).status).to.equal(201)
  })
})

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

describe('over HTTP: equal scores', () => {
  /** A server of its own, because its clock is set. */
  let world: World

  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())

  for (const unique of [true, false]) {
    it(`rank in the order of the log, wherever the clock is set (unique: ${unique})`, async () => {
      const game = await makeGame(world)
      const board = await makeBoard(world, game, { unique })
      // The clock passes the end of a token.
      const token = () => tokenOf(world, game.server)
      const [ada, bea] = [await makePlayer(world, game, 'Ada'), await makePlayer(world, game, 'Bea')]
      const submit = async (player: string, score: string) => {
        const path = `/api/lb/${board}/score/`
        const { rank, improved, updated } = (
          await world.call('POST', path, { token: await token(), body: { player, score } })
        ).body
        return { rank, improved, updated }
      }
      const rows = async () => {
        const { scores } = must(await world.call('GET', `/api/lb/${board}/score/`, { token: await token() }), 200)
        return scores.map((row: { player: string; updated: string }) => [row.player, row.updated])
      }
      const nowMs = world.clock.nowMs
      const first = await submit(ada, '10')
      world.clock.nowMs = nowMs - 7_200_000
      const second = await submit(bea, '10')
      world.clock.nowMs = nowMs + 7_200_000
      const third = await submit(bea, '10')
      world.clock.nowMs = nowMs
      expect([first.rank, second.rank]).to.deep.equal([1, 2])
      expect(second.updated < first.updated).to.equal(true)
      expect(third).to.deep.equal({ rank: 2, improved: false, updated: second.updated })
      const inOrder = [
        [ada, first.updated],
        [bea, second.updated],
      ]
      expect((await rows()).slice(0, 2)).to.deep.equal(inOrder)
      // A better score, and then the same again by the other player.
      await submit(bea, '11')
      expect((await submit(ada, '11')).rank).to.equal(2)
      expect((await rows()).slice(0, 2).map(([player]: [string]) => player)).to.deep.equal([bea, ada])
    })
  }
})
