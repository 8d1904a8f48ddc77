// Submitting, reading and deleting scores through the front door: what the random boards do not ask.

import { expect } from 'chai'
import type { Answered } from './http-client.ts'
import { clientToken, type Guest, keyToken, type MadeGame, makeBoard, makeGame, makePlayer, signInGuest } from './scenery.ts'
import { sharedWorld } from './shared.ts'
import { must, type World } from './world.ts'

describe('scores', () => {
  let world: World
  let game: MadeGame
  let board: string
  let guest: Guest

  before(async () => {
    world = await sharedWorld()
    game = await makeGame(world)
    guest = await signInGuest(world, game, await clientToken(world, game), 'Ada')
  })
  beforeEach(async () => {
    board = await makeBoard(world, game)
  })

  const submit = (body: unknown, token = guest.token, of = board) => world.call('POST', `/api/lb/${of}/score/`, { token, body })
  const told = ({ status, body }: Answered) => ({ status, code: body.code })
  const list = (query = '', token = guest.token) => world.call('GET', `/api/lb/${board}/score/${query}`, { token })

  it('answers the first submission with exactly these fields', async () => {
    const now = new Date(world.clock.nowMs).toISOString()
    const extra_data = { level: 3, path: ['a', null, 1.5] }
    const answer = await submit({ score: '12.50', secondary_score: '-0.0', extra_data })
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

  it('a worse and an equal one change nothing; a better one replaces the content whole and keeps id and added', async () => {
    const first = must(await submit({ score: '10', secondary_score: '1', extra_data: 1, player_name: 'Nick' }), 201)
    world.clock.nowMs += 1000
    for (const score of ['9', '10', '10.0']) {
      const answer = must(await submit({ score, secondary_score: '1', extra_data: 2 }), 200)
      expect(answer).to.deep.equal({ ...first, improved: false, submitted: null })
    }
    expect(must(await submit({ score: '10' }), 200)).to.deep.equal({ ...first, improved: false, submitted: null })
    const better = must(await submit({ score: '10', secondary_score: '2' }), 200)
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

  it('bounds are inclusive', async () => {
    board = await makeBoard(world, game, { min_score: '-1.5', max_score: '2', unique: false })
    const outcomes = []
    for (const score of ['-1.5', '-1.50', '-1.500000000000000001', '2', '2.0', '2.000000000000000001', '0']) {
      const { status, body } = await submit({ score })
      outcomes.push(body.code ?? status)
    }
    expect(outcomes).to.deep.equal([201, 201, 'score_below_minimum', 201, 201, 'score_above_maximum', 201])
    expect(must(await list(), 200).count).to.equal(5)
    expect((await submit({ score: '3' })).status).to.equal(422)
  })

  it('takes decimals of 30 digits before and 18 after the point, and nothing else', async () => {
    board = await makeBoard(world, game, { unique: false })
    const widest = `${'9'.repeat(30)}.${'9'.repeat(18)}`
    const good = ['0', '-0', '0.0', '1.0', widest, `-${widest}`, `0.${'0'.repeat(17)}1`]
    for (const score of good) expect([score, (await submit({ score })).status]).to.deep.equal([score, 201])
    const bad = ['', ' 1', '1 ', '+1', '01', '-01', '.5', '5.', '1e3', '1E3', '0x1', 'NaN', 'Infinity', '1_000', '1,5', '--1', '-', `1${'0'.repeat(30)}`, `0.${'0'.repeat(18)}1`, '１', '1\n', '9'.repeat(60_000)]
    for (const score of [...bad, 1, 1.5, null, true, [], {}]) {
      const answer = await submit({ score })
      expect([String(score).slice(0, 20), told(answer)]).to.deep.equal([String(score).slice(0, 20), { status: 400, code: 'malformed' }])
      expect(answer.body.errors[0].pointer).to.equal('/score')
    }
    const number = await submit({ score: 12 })
    expect(number.body.errors).to.deep.equal([{ pointer: '/score', detail: 'scores are decimal strings, so that no precision is lost' }])
    expect(told(await submit({}))).to.deep.equal({ status: 400, code: 'malformed' })
  })

  describe('extra_data', () => {
    const nested = (levels: number, inside: unknown = 1): unknown => (levels === 0 ? inside : [nested(levels - 1, inside)])
    const text = (bytes: number) => 'x'.repeat(bytes - 2)

    it('may be exactly 8 KiB as canonical JSON, counted in bytes', async () => {
      must(await submit({ score: '1', extra_data: text(8192) }), 201)
      expect(told(await submit({ score: '2', extra_data: text(8193) }))).to.deep.equal({ status: 422, code: 'extra_data_too_large' })
      must(await submit({ score: '3', extra_data: 'é'.repeat(4095) }), 200)
      expect((await submit({ score: '4', extra_data: `é${'é'.repeat(4095)}` })).status).to.equal(422)
      expect(must(await list(), 200).scores[0].score).to.equal('3')
    })

    it('is measured without white space and with the shortest escapes', async () => {
      const spaced = `{"score":"1","extra_data":${' '.repeat(9000)}"\\u0061${'x'.repeat(8189)}"}`
      expect((await world.call('POST', `/api/lb/${board}/score/`, { token: guest.token, raw: spaced })).status).to.equal(201)
    })

    it('may be exactly 32 levels deep', async () => {
      const deepest = nested(32)
      expect(must(await submit({ score: '1', extra_data: deepest }), 201).extra_data).to.deep.equal(deepest)
      expect(told(await submit({ score: '2', extra_data: nested(33) }))).to.deep.equal({ status: 422, code: 'extra_data_too_large' })
      expect((await submit({ score: '2', extra_data: nested(39) })).status).to.equal(422)
      expect(told(await submit({ score: '2', extra_data: nested(40) }))).to.deep.equal({ status: 400, code: 'malformed' })
    })

    it('comes back as it was sent, whatever it is', async () => {
      board = await makeBoard(world, game, { unique: false })
      const values: unknown[] = [null, 0, -0.5, 1e21, 1e-7, 9007199254740993, '', 'é\u0000'.slice(0, 1), true, [], {}, { '': 1, b: 1, a: { c: [] } }, [[], [{}]], { constructor: 1, toString: null }]
      for (const extra_data of values) {
        expect(must(await submit({ score: '1', extra_data }), 201).extra_data === undefined).to.equal(false)
      }
      const got = must(await list('?order=oldest&limit=100'), 200).scores.map((one: { extra_data: unknown }) => JSON.stringify(one.extra_data))
      expect([...got].sort()).to.deep.equal(values.map((value) => JSON.stringify(sortedKeys(value))).sort())
    })
  })

  it('player_name stands beside the score; without one the present name does', async () => {
    board = await makeBoard(world, game, { unique: false })
    must(await submit({ score: '1', player_name: 'Zoe\u0308' }), 201)
    must(await submit({ score: '2', player_name: null }), 201)
    const rename = (name: string) => world.call('PUT', `/api/gm/${game.id}/player/me/`, { token: guest.token, body: { name } })
    must(await rename('Eve'), 200)
    const names = must(await list(), 200).scores.map((one: { player_name: string }) => one.player_name)
    expect(names).to.deep.equal(['Eve', 'Zo\u00eb'])
    must(await rename('Ada'), 200)
    for (const player_name of ['', ' a', 'a ', 'a\u0007b', 'a\u202eb', 'a\u2028b', 'x'.repeat(65), 1]) {
      const answer = await submit({ score: '3', player_name })
      expect([player_name, told(answer), answer.body.errors?.[0].pointer]).to.deep.equal([player_name, { status: 400, code: 'malformed' }, '/player_name'])
    }
    expect((await submit({ score: '3', player_name: '𝔘'.repeat(64) })).status).to.equal(201)
  })

  describe('for another player', () => {
    it('needs submit_for, plain or of this board, beside submit', async () => {
      const player = await makePlayer(world, game, 'Bob')
      const permissions = [['lb:*:submit'], ['submit_for'], ['lb:*:submit', 'submit_for'], ['lb:*:submit', `lb:${board}:submit_for`], ['lb:*:submit', 'lb:other:submit_for'], ['lb:*:*']]
      const outcomes = []
      for (const list of permissions) {
        const { status, body } = await submit({ score: '1', player }, await keyToken(world, game, { permissions: list }))
        outcomes.push(body.needed ?? status)
      }
      expect(outcomes).to.deep.equal(['submit_for', `lb:${board}:submit`, 201, 200, 'submit_for', 200])
    })

    it('a client may name the player signed in, and nobody else', async () => {
      expect((await submit({ score: '1', player: guest.id })).status).to.equal(201)
      const other = await makePlayer(world, game, 'Bob')
      expect(told(await submit({ score: '1', player: other }))).to.deep.equal({ status: 403, code: 'permission_needed' })
      expect(told(await submit({ score: '1', player: 'nobody' }))).to.deep.equal({ status: 403, code: 'permission_needed' })
    })

    it('must be a player of the game: 422 unknown_player', async () => {
      const elsewhere = await makeGame(world)
      const stranger = await makePlayer(world, elsewhere)
      for (const player of [stranger, 'nobody', game.id]) {
        expect(told(await submit({ score: '1', player }, game.token))).to.deep.equal({ status: 422, code: 'unknown_player' })
      }
    })

    it('nobody signed in and none named: 422 player_required', async () => {
      expect(told(await submit({ score: '1' }, game.token))).to.deep.equal({ status: 422, code: 'player_required' })
    })

    it('in order: 400, then 404, then 422', async () => {
      expect(told(await submit({ score: 'x' }, game.token, 'nosuchboard'))).to.deep.equal({ status: 400, code: 'malformed' })
      expect(told(await submit({ score: '1' }, game.token, 'nosuchboard'))).to.deep.equal({ status: 404, code: 'leaderboard_not_found' })
      expect(told(await submit({ score: '1', player: 'nobody' }, game.token, 'nosuchboard'))).to.deep.equal({ status: 404, code: 'leaderboard_not_found' })
    })
  })

  describe('DELETE', () => {
    const remove = (id: string, token = game.token) => world.call('DELETE', `/api/score/${id}/`, { token })

    it('on a unique board takes the player’s standing with every submission, and the next starts a new entry', async () => {
      const first = must(await submit({ score: '10' }), 201)
      must(await submit({ score: '20' }), 200)
      expect(must(await remove(first.id), 200)).to.deep.equal({ deleted: first.id })
      expect(must(await list(), 200)).to.include({ count: 0 })
      for (const answer of [await remove(first.id), await world.call('GET', `/api/score/${first.id}/`, { token: game.token })]) {
        expect(told(answer)).to.deep.equal({ status: 404, code: 'score_not_found' })
      }
      const next = must(await submit({ score: '5' }), 201)
      expect([next.id === first.id, next.score, next.submitted === next.id]).to.deep.equal([false, '5', true])
    })

    it('on the other kind takes that entry alone', async () => {
      board = await makeBoard(world, game, { unique: false })
      const [low, high] = [must(await submit({ score: '1' }), 201), must(await submit({ score: '2' }), 201)]
      must(await remove(high.submitted), 200)
      expect(must(await list(), 200).scores.map((one: { id: string }) => one.id)).to.deep.equal([low.submitted])
      expect(told(await remove(high.submitted))).to.deep.equal({ status: 404, code: 'score_not_found' })
      expect(must(await submit({ score: '0' }), 201)).to.include({ id: low.submitted, score: '1', improved: false })
    })

    it('of an entry that two callers delete at once, one does', async () => {
      const { id } = must(await submit({ score: '1' }), 201)
      const answers = await Promise.all(Array.from({ length: 8 }, () => remove(id)))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404, 404, 404, 404, 404])
    })

    it('is the tenant’s alone', async () => {
      const { id } = must(await submit({ score: '1' }), 201)
      expect(told(await remove(id, guest.token))).to.deep.equal({ status: 403, code: 'tenant_only' })
    })
  })

  it('an archived leaderboard is 404 everywhere, after a restart too', async () => {
    const { id } = must(await submit({ score: '1' }), 201)
    const path = `/api/lb/${board}/`
    expect(must(await world.call('DELETE', path, { token: game.token }), 200)).to.deep.equal({ deleted: board })
    const calls: [string, string, unknown?][] = [
      ['GET', path],
      ['PUT', path, { name: 'x' }],
      ['DELETE', path],
      ['GET', `${path}score/`],
      ['POST', `${path}score/`, { score: '1', player: guest.id }],
      ['GET', `/api/score/${id}/`],
      ['DELETE', `/api/score/${id}/`],
    ]
    for (const [method, at, body] of calls) {
      const answer = await world.call(method, at, body === undefined ? { token: game.token } : { token: game.token, body })
      expect([method, at, answer.status]).to.deep.equal([method, at, 404])
    }
    const { leaderboards } = must(await world.call('GET', `/api/gm/${game.id}/lb/?limit=100`, { token: game.token }), 200)
    expect(leaderboards.map((one: { id: string }) => one.id)).to.not.include(board)
  })

  describe('the query of a list', () => {
    const malformed: [string, string][] = [
      ['limit=0', '/limit'],
      ['limit=101', '/limit'],
      ['limit=1e1', '/limit'],
      ['limit=%2B1', '/limit'],
      ['limit=', '/limit'],
      ['limit=1&limit=2', '/limit'],
      ['offset=-1', '/offset'],
      ['offset=1000000001', '/offset'],
      ['page=0', '/page'],
      ['order=BEST', '/order'],
      ['window=all', '/window'],
      ['nothing=1', '/nothing'],
      ['since=2026-02-30', '/since'],
      ['since=2026-01-01T00:00:00', '/since'],
      ['since=2026-01-03&until=2026-01-01', '/since'],
      ['since=2026-01-01T00:00:00.001Z&until=2026-01-01T00:00:00Z', '/since'],
      ['min_score=2&max_score=1', '/min_score'],
      ['min_score=1e3', '/min_score'],
      ['player_name=', '/player_name'],
      ['player=', '/player'],
      ['around=x&page=1', '/around'],
      ['around=x&offset=0', '/around'],
      ['around=x&player=y', '/around'],
      ['around=x&order=worst', '/around'],
    ]
    for (const [query, pointer] of malformed) {
      it(`${query} is 400 naming ${pointer}`, async () => {
        const answer = await list(`?${query}`)
        expect([answer.status, answer.body.errors[0].pointer]).to.deep.equal([400, pointer])
      })
    }

    for (const query of ['around=x&order=best', 'since=2026-01-01&until=2026-01-01', 'min_score=1&max_score=1.0', 'page=1000000000&limit=100', 'offset=1000000000', 'since=2024-02-29T23:59:60Z'.replace(':60Z', ':59Z'), 'since=2026-01-01T00:00:00%2B14:00', 'until=9999-12-31']) {
      it(`${query} is taken`, async () => {
        expect((await list(`?${query}`)).status).to.equal(200)
      })
    }
  })
})

/** With the keys in the order that canonical JSON has them. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, sortedKeys(one)]))
}
