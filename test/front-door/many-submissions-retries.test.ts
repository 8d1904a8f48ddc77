// Repeats of many submissions whose outcome was unknown, keys that other calls used, and reads after the call.

import { expect } from 'chai'
import { type MadeGame, makeBoard, makeGame, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { answerCode } from './tenant.ts'
import { type Nodes, openNodes } from './two-nodes.ts'
import { must } from './world.ts'

describe('many submissions in one call, repeated', function () {
  this.timeout(30_000)
  let nodes: Nodes
  let game: MadeGame
  let board: string
  let players: string[]

  before(async () => {
    nodes = await openNodes()
    game = await makeGame(nodes.a)
    players = []
    for (const name of ['Ada', 'Bob', 'Cid']) players.push(await makePlayer(nodes.a, game, name))
  })
  beforeEach(async () => {
    board = await makeBoard(nodes.a, game, { unique: false })
  })
  after(() => nodes.close())

  const send = (submissions: unknown, headers: Record<string, string> = {}, node = nodes.a) =>
    node.call('POST', `/api/gm/${game.id}/scores/`, { token: game.token, body: { submissions }, headers })
  const by = (nth: number, score: string, more: object = {}) => ({
    leaderboard: board,
    player: players[nth],
    score,
    ...more,
  })
  const ranked = async (node = nodes.a, headers = {}) =>
    must(await node.call('GET', `/api/lb/${board}/score/`, { token: game.token, headers }), 200).scores.map(
      (row: Body) => [row.player, row.score],
    )
  const codes = (all: readonly Body[]) =>
    all.map(({ status, code }) => (code === undefined ? `${status}` : `${status} ${code}`))

  /** While `during` runs, appends to streams of this player are recorded, or lost, without an answer. */
  async function unanswered<T>(player: string | undefined, isRecorded: boolean, during: () => Promise<T>): Promise<T> {
    const { log } = nodes
    const { append } = log
    log.append = async (stream, expected, events) => {
      const isOf = player !== undefined && events.some(({ meta }) => meta.player === player)
      if (isRecorded || !isOf) {
        const result = await append(stream, expected, events)
        if (!isOf) return result
      }
      throw new Error('no answer')
    }
    try {
      return await during()
    } finally {
      log.append = append
    }
  }

  for (const isRecorded of [true, false]) {
    it(`is 503 as a whole with Retry-After where the log ${isRecorded ? 'recorded' : 'lost'} one without an answer, and a repeat settles it`, async () => {
      const list = [by(0, '1'), by(1, '2'), by(2, '3'), by(1, 'x')]
      const headers = { 'idempotency-key': `whole ${board}` }
      const failed = await unanswered(players[1], isRecorded, () => send(list, headers))
      expect(answerCode(failed)).to.equal('503 log_unavailable')
      expect(Number(failed.headers['retry-after'])).to.be.above(0)
      expect(failed.body.results).to.equal(undefined)
      const settled = must(await send(list, headers), 200).results
      expect(codes(settled)).to.deep.equal(['201', '201', '201', '400 malformed'])
      expect(must(await send(list, headers), 200).results).to.deep.equal(settled)
      expect(await ranked()).to.deep.equal([
        [players[2], '3'],
        [players[1], '2'],
        [players[0], '1'],
      ])
    })
  }

  it('answers a token with which other nodes see all that was recorded', async () => {
    const answer = await send([by(0, '1'), by(1, '2')])
    must(answer, 200)
    const token = String(answer.headers['x-consistency-token'])
    expect(await ranked(nodes.b, { 'x-consistency-token': token })).to.deep.equal([
      [players[1], '2'],
      [players[0], '1'],
    ])
  })

  it('refuses a submission whose key a single call has used, and a single call whose key a submission has used', async () => {
    const single = (key: string) =>
      nodes.a.call('POST', `/api/lb/${board}/score/`, {
        token: game.token,
        body: { player: players[0], score: '4' },
        headers: { 'idempotency-key': key },
      })
    must(await single(`single ${board}`), 201)
    const all = must(await send([by(0, '4', { idempotency_key: `single ${board}` }), by(1, '5')]), 200).results
    expect(codes(all)).to.deep.equal(['422 idempotency_key_reused', '201'])
    must(await send([by(0, '6', { idempotency_key: `many ${board}` })]), 200)
    expect(answerCode(await single(`many ${board}`))).to.equal('422 idempotency_key_reused')
    expect((await ranked()).map(([, score]: string[]) => score)).to.deep.equal(['6', '5', '4'])
  })

  it('records nothing twice under the key of a single call that is sent as the key of many', async () => {
    const headers = { 'idempotency-key': `both ${board}` }
    const body = { player: players[0], score: '4' }
    must(await nodes.a.call('POST', `/api/lb/${board}/score/`, { token: game.token, body, headers }), 201)
    expect(answerCode(await send([by(0, '4')], headers))).to.equal('422 idempotency_key_reused')
    expect(await ranked()).to.deep.equal([[players[0], '4']])
  })

  it('answers for the player of the first call, once deleted, although their external id is free or of another player', async () => {
    const external_id = `acc ${board}`
    const call = (method: string, path: string, body?: object) =>
      nodes.a.call(method, `/api/gm/${game.id}/players/${path}`, { token: game.token, body })
    const make = async (name: string) => must(await call('POST', '', { name, external_id }), 201).id
    const list = [
      { leaderboard: board, external_id, score: '4', player_name: 'As sent', idempotency_key: `acc ${board}` },
    ]
    const one = await make('One')
    const [first] = must(await send(list), 200).results
    expect([first.status, first.score.player]).to.deep.equal([201, one])
    must(await call('DELETE', `${one}/`), 200)
    const again = { ...first, rank: null }
    expect(must(await send(list), 200).results, 'while nobody has the id').to.deep.equal([again])
    const unsent = must(await send([{ ...list[0], idempotency_key: `new ${board}` }]), 200).results
    expect(codes(unsent)).to.deep.equal(['422 unknown_player'])
    const two = await make('Two')
    must(await call('POST', `${two}/ban/`, {}), 200)
    expect(must(await send(list), 200).results, 'while a banned player has it').to.deep.equal([again])
    must(await call('POST', `${two}/unban/`, {}), 200)
    expect(must(await send(list), 200).results, 'while another player has it').to.deep.equal([again])
    expect(await ranked()).to.deep.equal([])
  })

  it('counts each once on two nodes at the same time', async () => {
    const list = Array.from({ length: 40 }, (_, n) => by(n % 3, String(n), { idempotency_key: `${board} ${n}` }))
    const answers = await Promise.all([send(list), send(list, {}, nodes.b), send(list)])
    for (const answer of answers) expect(answer.status).to.be.oneOf([200, 503])
    await nodes.a.caughtUp()
    const settled: Body[] = must(await send(list), 200).results
    expect(codes(settled)).to.deep.equal(list.map(() => '201'))
    expect(
      (await nodes.log.readAll(null, 10_000)).filter(({ meta }) => meta.board === board && meta.player),
    ).to.have.length(40)
  })

  it('keeps equal scores in the order of the list after more submissions of one player than fit into an append', async () => {
    const one = await makeBoard(nodes.a, game)
    const list = [
      ...Array.from({ length: 40 }, (_, n) => by(0, String(n), { leaderboard: one })),
      by(1, '39', { leaderboard: one }),
      by(2, '39', { leaderboard: one }),
    ]
    const results: Body[] = must(await send(list), 200).results
    expect([results[0], results[40], results[41]].map((result) => result?.rank)).to.deep.equal([1, 2, 3])
    const answer = await nodes.a.call('GET', `/api/lb/${one}/score/`, { token: game.token })
    expect(must(answer, 200).scores.map((row: Body) => row.player)).to.deep.equal(players)
  })

  it('reads each stream once or twice for a repeat, in whatever order its submissions are', async () => {
    const one = await makeBoard(nodes.a, game)
    const list = Array.from({ length: 60 }, (_, n) => by(n % 2, String(n), { leaderboard: one }))
    const key = { 'Idempotency-Key': 'in-turn' }
    must(await send(list, key), 200)
    const { log } = nodes
    const { readStream } = log
    let reads = 0
    log.readStream = (stream, ...rest) => {
      if (players.some((player) => stream.includes(player))) reads++
      return readStream(stream, ...rest)
    }
    try {
      expect(codes(must(await send(list, key), 200).results)).to.deep.equal(list.map((_, n) => (n < 2 ? '201' : '200')))
    } finally {
      log.readStream = readStream
    }
    expect(reads).to.be.within(2, 8)
  })

  it('keeps the order of new submissions after repeated ones', async () => {
    const one = await makeBoard(nodes.a, game)
    const repeated = Array.from({ length: 40 }, (_, n) =>
      by(0, String(n), { leaderboard: one, idempotency_key: `order-${n}` }),
    )
    must(await send(repeated), 200)
    const added = [
      by(0, '50', { leaderboard: one }),
      by(1, '50', { leaderboard: one }),
      by(2, '50', { leaderboard: one }),
    ]
    const results: Body[] = must(await send([...repeated, ...added]), 200).results
    expect(results.slice(40).map(({ rank }) => rank)).to.deep.equal([1, 2, 3])
  })
})
