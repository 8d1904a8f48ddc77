// Many submissions by the client library: split into calls, repeated without counting twice, answered in order.

import { expect } from 'chai'
import { type Client, connect } from '../../../clients/javascript/connect.ts'
import type { ManySubmission } from '../../../clients/javascript/score-shapes.ts'
import type { MadeKey } from '../../../clients/javascript/shapes.ts'
import { openWorld, type World } from '../../front-door/world.ts'
import { operatorKey } from './keys.ts'

/** How one call of many submissions is answered, in place of or after the server. */
type Fate = (ask: () => Promise<Response>) => Promise<Response>

describe('submitMany of the client library', () => {
  let world: World
  let baseUrl: string
  let server: Client
  let operator: Client
  let key: MadeKey
  let game: string
  let ada: string
  let bob: string
  let board: string
  let fates: Fate[] = []
  /** The submissions of each call that was sent, and the bytes of its body. */
  let calls: { submissions: ManySubmission[]; bytes: number }[] = []
  const waits: number[] = []
  const now = () => world.clock.nowMs

  const watched: typeof fetch = (input, init) => {
    if (!String(input).endsWith('/scores/')) return fetch(input, init)
    const body = String(init?.body)
    calls.push({ submissions: JSON.parse(body).submissions, bytes: Buffer.byteLength(body) })
    const ask = () => fetch(input, init)
    return (fates.shift() ?? ((asked) => asked()))(ask)
  }
  const questionLost: Fate = () => Promise.reject(new TypeError('lost'))
  const answerLost: Fate = async (ask) => {
    await (await ask()).arrayBuffer()
    throw new TypeError('lost')
  }
  const busy: Fate = async () =>
    new Response(JSON.stringify({ status: 503, code: 'busy', detail: 'Later.' }), {
      status: 503,
      headers: { 'content-type': 'application/problem+json', 'retry-after': '0' },
    })

  before(async () => {
    world = await openWorld()
    baseUrl = `http://127.0.0.1:${world.port}`
    operator = await connect({ baseUrl, key: await operatorKey(world.dataDir), now })
    const made = await operator.createGame('Quest')
    game = made.game.id
    key = made.key
    server = await connect({ baseUrl, key, now, fetch: watched, onWait: (waitMs) => waits.push(waitMs) })
    ada = (await server.createPlayer(game, { name: 'Ada', external_id: 'account-1' })).id
    bob = (await server.createPlayer(game, { name: 'Bob' })).id
  })
  beforeEach(async () => {
    board = (await server.createLeaderboard(game, { name: 'B', ordering: 'desc', unique: false })).id
    calls = []
    fates = []
    waits.length = 0
  })
  after(() => world.close())

  const one = (score: string, more: object = {}): ManySubmission => ({
    leaderboard: board,
    player: ada,
    score,
    ...more,
  })
  const scores = async () => (await server.scores(board, { limit: 100 })).scores.map(({ score }) => score)

  it('answers each submission in the order of the list, and a refused one between the others', async () => {
    const results = await server.submitMany([
      one('3'),
      { leaderboard: board, external_id: 'account-1', score: '5' },
      one('high'),
      one('4', { player: 'nobody' }),
      one('1', { player: bob }),
    ])
    expect(results.map((result) => ('code' in result ? result.code : result.rank))).to.deep.equal([
      2,
      1,
      'malformed',
      'unknown_player',
      3,
    ])
    const [first, , malformed] = results
    if (first === undefined || 'code' in first || malformed === undefined || !('code' in malformed))
      throw new Error('the first is recorded, the third refused')
    expect(first).to.deep.include({ status: 201, improved: true })
    expect(malformed.errors?.[0]?.pointer).to.equal('/score')
    expect(await scores()).to.deep.equal(['5', '3', '1'])
  })

  it('sends 1,201 submissions in calls of at most 500, in their order', async () => {
    const list = Array.from({ length: 1_201 }, (_, n) => one(String(n % 400), { extra_data: n }))
    const results = await server.submitMany(list)
    expect(calls.map(({ submissions }) => submissions.length)).to.deep.equal([500, 500, 201])
    expect(calls.flatMap(({ submissions }) => submissions.map(({ extra_data }) => extra_data))).to.deep.equal(
      list.map((_, n) => n),
    )
    expect(results.map(({ status }) => status)).to.deep.equal(list.map(() => 201))
    expect((await server.leaderboard(board)).entries).to.equal(1_201)
    const keys = calls.flatMap(({ submissions }) => submissions.map(({ idempotency_key }) => idempotency_key))
    expect(new Set(keys).size).to.equal(1_201)
  })

  it('splits a list by its bytes in UTF-8, so that no call is larger than 1 MiB', async () => {
    const extra = 'é'.repeat(4_000)
    const list = Array.from({ length: 150 }, (_, n) => one(String(n), { extra_data: extra }))
    const results = await server.submitMany(list)
    expect(results.map(({ status }) => status)).to.deep.equal(list.map(() => 201))
    const [full, rest] = calls
    if (full === undefined || rest === undefined) throw new Error('two calls are needed')
    expect(calls).to.have.length(2)
    const each = full.bytes / full.submissions.length
    expect(full.bytes).to.be.within(1_048_576 - each, 1_048_576)
  })

  it('counts each submission once where questions and answers are lost, and waits where the server is busy', async () => {
    fates = [questionLost, answerLost, busy, answerLost]
    const results = await server.submitMany([one('1'), one('2'), one('2')])
    expect(calls).to.have.length(5)
    expect(new Set(calls.map(({ submissions }) => JSON.stringify(submissions))).size).to.equal(1)
    expect(waits).to.have.length(4)
    expect(results.map(({ status }) => status)).to.deep.equal([201, 201, 201])
    expect(await scores()).to.deep.equal(['2', '2', '1'])
  })

  it('counts each submission once when the caller repeats a list with keys of its own', async () => {
    const list = ['1', '2'].map((score) => one(score, { idempotency_key: `${board} ${score}` }))
    const first = await server.submitMany(list)
    expect(await server.submitMany(list)).to.deep.equal(first)
    expect(await scores()).to.deep.equal(['2', '1'])
  })

  it('sends only those again that are refused for now, and puts their results in place', async () => {
    const inTurn: Fate = async (ask) => {
      const { results } = (await (await ask()).json()) as { results: object[] }
      results[1] = { status: 409, code: 'idempotency_in_progress', detail: 'It is running.' }
      results[2] = { status: 429, code: 'recording_limit', detail: 'Too much.', retry_after: 0 }
      return Response.json({ results })
    }
    fates = [inTurn]
    const results = await server.submitMany([one('1'), one('2'), one('3'), one('4')])
    const sent = calls.map(({ submissions }) => submissions.map(({ score }) => score))
    expect(sent).to.deep.equal([
      ['1', '2', '3', '4'],
      ['2', '3'],
    ])
    expect(results.map((result) => ('code' in result ? result.code : result.score.score))).to.deep.equal([
      '1',
      '2',
      '3',
      '4',
    ])
    expect(await scores()).to.deep.equal(['4', '3', '2', '1'])
  })

  it('answers a refusal that lasts longer than its patience', async () => {
    const hasty = await connect({ baseUrl, key, now, fetch: watched, patienceMs: 500 })
    const refused = { status: 429, code: 'recording_limit', detail: 'Too much.', retry_after: 60 }
    fates = [async () => Response.json({ results: [refused] })]
    expect(await hasty.submitMany([one('1')])).to.deep.equal([refused])
    expect(calls).to.have.length(1)
  })

  it('sends nothing for an empty list, and nothing where one submission is larger than a call', async () => {
    expect(await server.submitMany([])).to.deep.equal([])
    const failure = await server.submitMany([one('1'), one('2', { extra_data: 'x'.repeat(1_048_576) })]).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(failure).to.be.instanceOf(RangeError)
    expect(String(failure)).to.match(/submissions\[1\] has \d+ bytes/)
    expect(calls).to.deep.equal([])
  })

  it('is refused with the operator’s key, which belongs to no game', async () => {
    const failure = await operator.submitMany([one('1')]).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(failure).to.be.instanceOf(TypeError)
  })
})
