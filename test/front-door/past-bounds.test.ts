// The first and last instant of a board’s past, and invalid instants.

import { expect } from 'chai'
import { type MadeGame, makeBoard } from './game-fixtures.ts'
import { openTenant, type Tenant } from './tenant.ts'
import { must, type World } from './world.ts'

describe('the past of a leaderboard', () => {
  let world: World
  let game: MadeGame
  let get: Tenant['get']
  let remove: Tenant['remove']
  let nowText: Tenant['nowText']
  /** Before the board was created. */
  let earlier: string

  before(async () => {
    ;({ world, game, get, remove, nowText } = await openTenant())
    earlier = nowText()
    world.clock.nowMs += 1
  })

  it('answers 404 for instants before a leaderboard was created, and for an archived one', async () => {
    const board = await makeBoard(world, game)
    for (const path of [`/api/lb/${board}/`, `/api/lb/${board}/score/`]) {
      const { status, body } = await get(`${path}?as_of=${earlier}`)
      expect([status, body.code]).to.deep.equal([404, 'leaderboard_not_found'])
    }
    const asOf = nowText()
    must(await get(`/api/lb/${board}/?as_of=${asOf}`), 200)
    world.clock.nowMs += 1
    must(await remove(`/api/lb/${board}/`), 200)
    for (const path of [`/api/lb/${board}/`, `/api/lb/${board}/score/`, `/api/lb/${board}/history/?player=nobody`]) {
      const { status, body } = await get(path.includes('history') ? path : `${path}?as_of=${asOf}`)
      expect([status, body.code]).to.deep.equal([404, 'leaderboard_not_found'])
    }
  })

  it('refuses an as_of that is not in the past and other invalid parameters, and names them', async () => {
    const board = await makeBoard(world, game)
    const future = new Date(world.clock.nowMs + 2_000).toISOString()
    const bad = [
      '',
      '2026-11-20',
      '2026-11-20T12:00:00',
      'now',
      '2026-02-30T00:00:00Z',
      future,
      `${earlier}&as_of=${earlier}`,
    ]
    for (const text of bad) {
      for (const path of [`/api/lb/${board}/`, `/api/lb/${board}/score/`, '/api/score/abcd/']) {
        const { status, body } = await get(`${path}?as_of=${text}`)
        expect([status, body.errors?.[0]?.pointer], `${path} ${text}`).to.deep.equal([400, '/as_of'])
      }
    }
    for (const [query, pointer] of [
      ['', '/player'],
      ['?player=', '/player'],
      ['?player=a&points=0', '/points'],
      ['?player=a&points=1001', '/points'],
      ['?player=a&points=x', '/points'],
      ['?player=a&as_of=2026-01-01T00:00:00Z', '/as_of'],
      ['?player=a&player=b', '/player'],
    ]) {
      const { status, body } = await get(`/api/lb/${board}/history/${query}`)
      expect([status, body.errors?.[0]?.pointer], query).to.deep.equal([400, pointer])
    }
    const unknown = must(await get(`/api/lb/${board}/history/?player=nobody`), 200)
    expect(unknown).to.deep.equal({ points: [] })
  })
})
