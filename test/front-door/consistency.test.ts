// Read-your-writes, and the consistency token, which says how far the views of a later read must be.

import { expect } from 'chai'
import { clientToken, keyToken, type MadeGame, makeBoard, makeGame, makePlayer, signInGuest } from './game-fixtures.ts'
import type { Answered, Body } from './http-client.ts'
import { answerCode } from './tenant.ts'
import { must, openWorld, type World } from './world.ts'

const ROUNDS = 40

describe('consistency of reads', () => {
  let world: World
  let game: MadeGame

  before(async () => {
    world = await openWorld()
    game = await makeGame(world)
  })
  after(() => world.close())

  const tokenOfAnswer = ({ headers }: Answered) => String(headers['x-consistency-token'])

  it('shows a caller its own writes at once in every list, without a consistency token', async () => {
    const board = await makeBoard(world, game, { unique: false })
    const player = await makePlayer(world, game)
    for (let i = 1; i <= ROUNDS; i++) {
      const body = { score: String(i), player }
      const made = must(await world.call('POST', `/api/lb/${board}/score/`, { token: game.token, body }), 201)
      const list = must(await world.call('GET', `/api/lb/${board}/score/?limit=1`, { token: game.token }), 200)
      expect([list.count, list.scores[0].id]).to.deep.equal([i, made.submitted])
    }
  })

  it('shows a reader who sends a consistency token at least that write, by any writer', async () => {
    const board = await makeBoard(world, game)
    const reader = await keyToken(world, game)
    for (let i = 1; i <= ROUNDS; i++) {
      const player = await makePlayer(world, game, `P${i}`)
      const written = await world.call('POST', `/api/lb/${board}/score/`, {
        token: game.token,
        body: { score: String(i), player },
      })
      const headers = { 'x-consistency-token': tokenOfAnswer(written) }
      const list = must(await world.call('GET', `/api/lb/${board}/score/`, { token: reader, headers }), 200)
      expect([list.count, list.scores[0].player]).to.deep.equal([i, player])
    }
  })

  it('answers a consistency token to every write, also to one that changes nothing, and to no read', async () => {
    const path = `/api/lb/${await makeBoard(world, game)}/`
    const change = () => world.call('PUT', path, { token: game.token, body: { name: 'Same' } })
    const [first, second] = [await change(), await change()]
    for (const answer of [first, second]) {
      const headers = { 'x-consistency-token': tokenOfAnswer(answer) }
      expect(answer.headers['x-consistency-token']).to.be.a('string')
      expect((await world.call('GET', path, { token: game.token, headers })).status).to.equal(200)
    }
    expect((await world.call('GET', path, { token: game.token })).headers).to.not.have.property('x-consistency-token')
    expect((await world.call('PUT', path, { token: game.token, body: { name: '' } })).headers).to.not.have.property(
      'x-consistency-token',
    )
  })

  it('accepts a consistency token after a restart, and refuses invalid ones and those of another installation with 400', async () => {
    const path = `/api/lb/${await makeBoard(world, game)}/`
    const token = tokenOfAnswer(await world.call('PUT', path, { token: game.token, body: { name: 'X' } }))
    const read = (sent: string) =>
      world.call('GET', path, { token: game.token, headers: { 'x-consistency-token': sent } })
    await world.restart()
    expect(must(await read(token), 200).name).to.equal('X')
    const elsewhere = await openWorld()
    const other = await makeGame(elsewhere)
    const made = await elsewhere.call('POST', `/api/gm/${other.id}/players/`, {
      token: other.token,
      body: { name: 'P' },
    })
    await elsewhere.close()
    const flipped = token.slice(0, -2) + (token.at(-2) === 'A' ? 'B' : 'A') + token.at(-1)
    for (const wrong of [tokenOfAnswer(made), flipped, token.slice(1), '', 'x', 'é', 'a'.repeat(2_000)]) {
      expect([wrong, answerCode(await read(wrong))]).to.deep.equal([wrong, '400 consistency_token_unknown'])
    }
  })

  it('answers a submission with the rank that a following read shows', async () => {
    const board = await makeBoard(world, game, { secondary_ordering: 'asc' })
    const client = await clientToken(world, game)
    const guests = await Promise.all(Array.from({ length: 8 }, () => signInGuest(world, game, client)))
    for (let i = 0; i < ROUNDS; i++) {
      const guest = guests[(i * 5) % guests.length] as Body
      const body = { score: String((i * 7) % 4), secondary_score: i % 3 === 0 ? null : String(i % 2) }
      const answer = await world.call('POST', `/api/lb/${board}/score/`, { token: guest.token, body })
      const { id, rank } = answer.body
      const around = must(
        await world.call('GET', `/api/lb/${board}/score/?around=${guest.id}`, { token: guest.token }),
        200,
      )
      expect([around.player_score, around.player_rank]).to.deep.equal([id, rank])
    }
  })
})
