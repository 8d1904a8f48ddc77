// Leaderboards: created, read and changed; equal rules change nothing; lists are in the order of creation.

import { expect } from 'chai'
import { keyToken, type MadeGame, makeBoard, makeGame, makePlayer } from './game-fixtures.ts'
import { openTenant, outcome, type Tenant } from './tenant.ts'
import { must, type World } from './world.ts'

describe('leaderboards', () => {
  let world: World
  let game: MadeGame
  let get: Tenant['get']
  let post: Tenant['post']
  let put: Tenant['put']
  let allOf: Tenant['allOf']

  before(async () => {
    ;({ world, game, get, post, put, allOf } = await openTenant())
  })

  const path = () => `/api/gm/${game.id}/lb/`

  it('creates a leaderboard with the defaults, in exactly these fields', async () => {
    const made = must(await post(path(), { name: 'Laps', ordering: 'asc' }), 201)
    expect(made).to.deep.equal({
      id: made.id,
      name: 'Laps',
      description: '',
      game: game.id,
      ordering: 'asc',
      secondary_ordering: 'desc',
      unique: true,
      min_score: null,
      max_score: null,
      entries: 0,
      key: null,
      seasons: null,
      keep: 'best',
    })
    expect(must(await get(`/api/lb/${made.id}/`), 200)).to.deep.equal(made)
    const listed = (await allOf(path(), 'leaderboards')).filter(({ id }) => id === made.id)
    expect(listed).to.deep.equal([made])
  })

  it('answers the fields of a new leaderboard, with its bounds in canonical form', async () => {
    const fields = {
      name: 'B',
      description: 'two\nlines',
      ordering: 'desc',
      secondary_ordering: 'asc',
      unique: false,
      min_score: '-1.50',
      max_score: '0.0',
    }
    const made = must(await post(path(), fields), 201)
    expect(made).to.deep.equal({
      id: made.id,
      game: game.id,
      entries: 0,
      key: null,
      seasons: null,
      keep: 'best',
      ...fields,
      min_score: '-1.5',
      max_score: '0',
    })
  })

  it('refuses a minimum above the maximum with 400, before it looks for the game', async () => {
    const fields = { name: 'B', ordering: 'desc', min_score: '1', max_score: '0.999999999999999999' }
    const answer = await post(path(), fields)
    expect([outcome(answer), answer.body.errors[0].pointer]).to.deep.equal([
      { status: 400, code: 'malformed' },
      '/min_score',
    ])
    const wide = await keyToken(world, game, { permissions: ['gm:*:boards', 'lb:*:configure'] })
    expect((await post(`/api/gm/${'a'.repeat(24)}/lb/`, fields, wide)).status).to.equal(400)
    expect((await put('/api/lb/nosuchboard/', { min_score: '1', max_score: '0' }, {}, wide)).status).to.equal(400)
    expect((await post(path(), { ...fields, min_score: '1', max_score: '1.0' })).status).to.equal(201)
  })

  it('changes only name and description; the ETag does not follow the entries', async () => {
    const id = await makeBoard(world, game, { min_score: '1' })
    const { body: before, headers } = await get(`/api/lb/${id}/`)
    const renamed = await put(`/api/lb/${id}/`, { name: 'New' }, { 'if-match': headers.etag ?? '' })
    expect(must(renamed, 200)).to.deep.equal({ ...before, name: 'New' })
    const described = must(await put(`/api/lb/${id}/`, { description: 'D' }), 200)
    expect(described).to.deep.equal({ ...before, name: 'New', description: 'D' })
    expect(outcome(await put(`/api/lb/${id}/`, { name: 'X' }, { 'if-match': headers.etag ?? '' }))).to.deep.equal({
      status: 412,
      code: 'precondition_failed',
    })
    const { etag } = (await get(`/api/lb/${id}/`)).headers
    const player = await makePlayer(world, game)
    must(await post(`/api/lb/${id}/score/`, { score: '1', player }), 201)
    const after = await get(`/api/lb/${id}/`)
    expect([after.body.entries, after.headers.etag]).to.deep.equal([1, etag])
  })

  it('accepts a change to the same rules with 200, and refuses a minimum above the maximum', async () => {
    const id = await makeBoard(world, game, { ordering: 'desc', min_score: '1', max_score: '5' })
    const same = { ordering: 'desc', secondary_ordering: 'desc', unique: true, min_score: '1.0', max_score: '5' }
    expect((await put(`/api/lb/${id}/`, same)).status).to.equal(200)
    expect(outcome(await put(`/api/lb/${id}/`, { min_score: '6' }))).to.deep.equal({ status: 400, code: 'malformed' })
  })

  it('lists leaderboards in the order of their creation, also within one millisecond', async () => {
    const own = await makeGame(world)
    for (let i = 0; i < 5; i++) {
      await makeBoard(world, own, { name: `b${i}` })
      world.clock.nowMs += 1
    }
    const boards = await allOf(`/api/gm/${own.id}/lb/`, 'leaderboards', own.token)
    expect(boards.map(({ name }) => name)).to.deep.equal(['b0', 'b1', 'b2', 'b3', 'b4'])
    await Promise.all(Array.from({ length: 5 }, () => makeBoard(world, own, { name: 'same' })))
    const ids = (await allOf(`/api/gm/${own.id}/lb/`, 'leaderboards', own.token)).slice(5).map(({ id }) => id)
    expect(ids).to.deep.equal([...ids].sort())
  })
})
