// Many submissions in one call: each result is what a single call would answer, in the order of the list.

import { expect } from 'chai'
import { keyToken, type MadeGame, makeBoard, makePlayer } from './game-fixtures.ts'
import type { Body, Sent } from './http-client.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, type World } from './world.ts'

describe('many submissions in one call', () => {
  let world: World
  let game: MadeGame
  let tenant: Tenant
  let board: string
  let players: string[]

  before(async () => {
    tenant = await openTenant()
    ;({ world, game } = tenant)
    players = []
    for (let n = 0; n < 4; n++) players.push(await makePlayer(world, game, `P${n}`))
  })
  beforeEach(async () => {
    board = await makeBoard(world, game, {})
  })

  const path = () => `/api/gm/${game.id}/scores/`
  const send = (submissions: unknown, headers: Record<string, string> = {}, token = game.token) => {
    const sent: Sent = { token, body: { submissions }, headers }
    return world.call('POST', path(), sent)
  }
  const results = async (submissions: unknown, headers?: Record<string, string>): Promise<Body[]> =>
    must(await send(submissions, headers), 200).results
  const by = (nth: number, score: string, more: object = {}) => ({
    leaderboard: board,
    player: players[nth],
    score,
    ...more,
  })
  const codes = (all: readonly Body[]) =>
    all.map(({ status, code }) => (code === undefined ? `${status}` : `${status} ${code}`))
  const ranked = async (of = board) =>
    must(await tenant.get(`/api/lb/${of}/score/`), 200).scores.map((row: Body) => [row.player, row.score])

  it('are answered as single ones are, in their order, with ranks after all of them', async () => {
    const all = await results([by(0, '5'), by(1, '7', { extra_data: { a: 1 } }), by(0, '9.50'), by(1, '6')])
    expect(codes(all)).to.deep.equal(['201', '201', '200', '200'])
    expect(all.map(({ rank, improved }) => [rank, improved])).to.deep.equal([
      [1, true],
      [2, true],
      [1, true],
      [2, false],
    ])
    expect(all.map(({ score }) => score.score)).to.deep.equal(['5', '7', '9.5', '7'])
    expect(all.map(({ submitted }) => submitted !== null)).to.deep.equal([true, true, false, false])
    const single = must(await tenant.get(`/api/score/${all[1]?.score.id}/`), 200)
    expect(all[3]?.score).to.deep.equal(single)
    expect(await ranked()).to.deep.equal([
      [players[0], '9.5'],
      [players[1], '7'],
    ])
  })

  it('rank equal scores of different players as they are listed, with names of players too', async () => {
    const order = [3, 0, 2, 1]
    const all = await results(order.map((nth, at) => by(nth, '4', at % 2 === 0 ? { player_name: `Name ${at}` } : {})))
    expect(all.map(({ rank }) => rank)).to.deep.equal([1, 2, 3, 4])
    expect(await ranked()).to.deep.equal(order.map((nth) => [players[nth], '4']))
    // A later one of the first player comes after another player's of the same score.
    await results([by(0, '8'), by(1, '9'), by(0, '9'), by(2, '9')])
    expect((await ranked()).slice(0, 3)).to.deep.equal([1, 0, 2].map((nth) => [players[nth], '9']))
  })

  it('are refused one by one, as single ones are', async () => {
    const bounded = await makeBoard(world, game, { min_score: '0' })
    const all = await results([
      by(0, '-1', { leaderboard: bounded }),
      by(0, '3'),
      { ...by(0, '3'), player: 'nobody' },
      { ...by(0, '3'), leaderboard: 'aaaaaaaaaaaaaaaaaaaaaaaa' },
      { leaderboard: board, score: '3' },
      by(0, '3', { external_id: 'x' }),
      by(0, 'three'),
      by(0, '3', { points: 1 }),
      { leaderboard: board, external_id: 'unheard of', score: '3' },
      by(1, '3', { extra_data: 'x'.repeat(9_000) }),
      'no submission',
    ])
    expect(codes(all)).to.deep.equal([
      '422 score_below_minimum',
      '201',
      '422 unknown_player',
      '404 leaderboard_not_found',
      '400 malformed',
      '400 malformed',
      '400 malformed',
      '400 malformed',
      '422 unknown_player',
      '422 extra_data_too_large',
      '400 malformed',
    ])
    expect(all[6]?.errors[0].pointer).to.equal('/score')
    expect(all[7]?.errors).to.deep.equal([{ pointer: '/points', detail: 'unknown field: remove it' }])
    expect(all[0]).to.deep.include({ min_score: '0' })
  })

  it('hold no others back where one of them breaks the rules of JSON bodies', async () => {
    const own = (extra: string) =>
      `{"leaderboard":"${board}","player":"${players[0]}","score":"1","extra_data":${extra}}`
    const faults = [
      '{"a":1,"a":2}',
      '"\\u0000"',
      '76561197960287931',
      '"fine"',
      '{"__proto__":1}',
      '[1, "]},{" , "\\""]',
    ]
    const text = `{"submissions":[${faults.map(own).join(' ,')}]}`
    const answer = await world.call('POST', path(), {
      token: game.token,
      raw: text,
      headers: { 'content-type': 'application/json' },
    })
    const all: Body[] = must(answer, 200).results
    expect(codes(all)).to.deep.equal(['400 malformed', '400 malformed', '400 malformed', '201', '400 malformed', '200'])
    expect(all[0]?.detail).to.equal(
      'The submission is malformed at "/extra_data/a": this field is given twice: keep one.',
    )
    expect(all.map(({ errors }) => errors?.[0].pointer)).to.deep.equal([
      '/extra_data/a',
      '/extra_data',
      '/extra_data',
      undefined,
      '/extra_data/__proto__',
      undefined,
    ])
  })

  it('are refused as a whole where the body is no list of 1 to 500, and nothing is recorded', async () => {
    for (const submissions of [undefined, null, {}, [], Array.from({ length: 501 }, () => by(0, '1'))]) {
      expect(answerCode(await send(submissions)), JSON.stringify(submissions)?.slice(0, 20)).to.equal('400 malformed')
    }
    expect(await ranked()).to.deep.equal([])
    expect(await results(Array.from({ length: 500 }, (_, n) => by(n % 4, String(n))))).to.have.length(500)
  })

  const sendRaw = (raw: string | Buffer) => world.call('POST', path(), { token: game.token, raw })

  it('are refused as a whole where the body is an array or a scalar', async () => {
    for (const raw of [JSON.stringify([by(0, '1')]), '"submissions"', '7', 'true', 'null']) {
      const answer = await sendRaw(raw)
      expect(answerCode(answer), raw).to.equal('400 malformed')
      expect(answer.body.errors[0].pointer, raw).to.equal('')
    }
    expect(await ranked()).to.deep.equal([])
  })

  it('are refused as a whole where one of them is not UTF-8', async () => {
    const named = JSON.stringify({ submissions: [by(0, '1'), by(1, '1', { player_name: 'Zo?' })] })
    const bytes = Buffer.from(named)
    bytes[bytes.indexOf('?')] = 0xeb
    const answer = await sendRaw(bytes)
    expect(answerCode(answer)).to.equal('400 malformed')
    expect(answer.body.errors).to.deep.equal([{ pointer: '', detail: 'is not valid UTF-8' }])
    expect(await ranked()).to.deep.equal([])
  })

  it('are refused one by one where the key is not 1 to 255 printable ASCII characters', async () => {
    const faulty = ['', 'x'.repeat(256), 'é', 'a\tb', 'a\nb', '\u007f', 7, {}]
    const accepted = [' ', '~'.repeat(255), null]
    const all = await results(
      [...faulty, ...accepted].map((idempotency_key, n) => by(n % 4, String(n), { idempotency_key })),
    )
    const refused = all.slice(0, faulty.length)
    expect(codes(refused)).to.deep.equal(faulty.map(() => '400 malformed'))
    for (const { errors } of refused) expect(errors[0].pointer).to.equal('/idempotency_key')
    expect(codes(all.slice(faulty.length))).to.deep.equal(accepted.map(() => '201'))
  })

  it('are two submissions where two API keys send the same key of a submission', async () => {
    const each = await makeBoard(world, game, { unique: false })
    const other = await keyToken(world, game)
    const one = by(0, '5', { leaderboard: each, idempotency_key: `shared ${each}` })
    const submitted: unknown[] = []
    for (const token of [game.token, other, game.token, other]) {
      const [result] = must(await send([one], {}, token), 200).results
      expect(result.status).to.equal(201)
      submitted.push(result.submitted)
    }
    expect(submitted.slice(2)).to.deep.equal(submitted.slice(0, 2))
    expect(submitted[0]).not.to.equal(submitted[1])
    expect(await ranked(each)).to.deep.equal([
      [players[0], '5'],
      [players[0], '5'],
    ])
  })

  it('are recorded once under a key, and judged again where they were refused', async () => {
    const keyed = [by(0, '5', { idempotency_key: `a ${board}` }), by(1, 'x', { idempotency_key: `b ${board}` })]
    const first = await results(keyed)
    const again = await results([keyed[0], by(1, '8', { idempotency_key: `b ${board}` })])
    expect(codes(again)).to.deep.equal(['201', '201'])
    expect(again[0]).to.deep.equal({ ...first[0], rank: 2 })
    expect(await ranked()).to.deep.equal([
      [players[1], '8'],
      [players[0], '5'],
    ])
    const other = await results([by(0, '6', { idempotency_key: `a ${board}` })])
    expect(codes(other)).to.deep.equal(['422 idempotency_key_reused'])
    const twice = await results([by(0, '7', { idempotency_key: 'k' }), by(1, '7', { idempotency_key: 'k' })])
    expect(codes(twice)).to.deep.equal(['200', '400 malformed'])
    const own = `c ${board}`
    const asCall = await results([by(2, '7', { idempotency_key: own }), by(2, '6')], { 'idempotency-key': own })
    expect(codes(asCall)).to.deep.equal(['400 malformed', '201'])
    expect(asCall[0]?.errors[0].pointer).to.equal('/idempotency_key')
  })

  it('are recorded once under the call’s key and their place', async () => {
    const headers = { 'idempotency-key': `call ${board}` }
    const each = await makeBoard(world, game, { unique: false })
    const one = by(0, '5', { leaderboard: each })
    const first = await results([one, one, by(1, 'x', { leaderboard: each })], headers)
    expect(codes(first)).to.deep.equal(['201', '201', '400 malformed'])
    const again = await results([one, one, by(1, '9', { leaderboard: each })], headers)
    expect(codes(again)).to.deep.equal(['201', '201', '201'])
    expect(again[0]?.submitted).to.equal(first[0]?.submitted)
    expect(await ranked(each)).to.deep.equal([
      [players[1], '9'],
      [players[0], '5'],
      [players[0], '5'],
    ])
  })
})
