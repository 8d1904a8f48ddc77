// The query parameters that GET scores accepts, and the refusals, which name the parameter. And input that is refused
// early, before it costs anything.

import { expect } from 'chai'
import { type BoardFixture, openBoardFixture } from './board-fixture.ts'
import { type MadeGame, makeBoard, makeGame, makePlayer } from './game-fixtures.ts'
import { sharedWorld } from './shared.ts'
import { must, type World } from './world.ts'

describe('the query of a list of scores', () => {
  let fixture: BoardFixture

  before(async () => {
    fixture = await openBoardFixture()
  })
  beforeEach(() => fixture.freshBoard())

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
    it(`refuses ${query} with 400 and names ${pointer}`, async () => {
      const answer = await fixture.list(`?${query}`)
      expect([answer.status, answer.body.errors[0].pointer]).to.deep.equal([400, pointer])
    })
  }

  for (const query of [
    'around=x&order=best',
    'since=2026-01-01&until=2026-01-01',
    'min_score=1&max_score=1.0',
    'page=1000000000&limit=100',
    'offset=1000000000',
    'since=2024-02-29T23:59:60Z'.replace(':60Z', ':59Z'),
    'since=2026-01-01T00:00:00%2B14:00',
    'until=9999-12-31',
  ]) {
    it(`accepts ${query}`, async () => {
      expect((await fixture.list(`?${query}`)).status).to.equal(200)
    })
  }
})

const BOMB_CPU_MAX_MS = 20

describe('early refusals', () => {
  let world: World
  let game: MadeGame

  before(async () => {
    world = await sharedWorld()
    game = await makeGame(world)
  })

  it('refuses a name that is expensive to normalize as too long, in less than 20 ms of CPU', async () => {
    const bomb = `a${'\u0315\u0300'.repeat(15_000)}`
    const usedMs: number[] = []
    // The least of five: other work of the process counts too.
    for (let time = 0; time < 5; time++) {
      const before = process.cpuUsage()
      const answer = await world.call('POST', `/api/gm/${game.id}/players/`, {
        token: game.token,
        body: { name: bomb },
      })
      const { user, system } = process.cpuUsage(before)
      usedMs.push((user + system) / 1_000)
      expect([answer.status, answer.body.errors]).to.deep.equal([
        400,
        [{ pointer: '/name', detail: 'must be at most 64 characters: shorten it' }],
      ])
    }
    expect(Math.min(...usedMs)).to.be.lessThan(BOMB_CPU_MAX_MS)
  })

  it('refuses a call without X-API-Key with 401 before it checks the body', async () => {
    for (const path of ['/api/auth/jwt/challenge/', '/api/auth/jwt/redeem/']) {
      const answer = await world.call('POST', path, { body: { nonsense: 1 } })
      expect([answer.status, answer.body.code]).to.deep.equal([401, 'api_key_required'])
    }
  })

  it('refuses a window whose last day is before its first with 400, and accepts one of one day', async () => {
    const board = await makeBoard(world, game)
    const get = (query: string) => world.call('GET', `/api/lb/${board}/score/?${query}`, { token: game.token })
    expect((await get('since=2026-11-22&until=2026-11-21')).body.errors[0].pointer).to.equal('/since')
    expect((await get('since=2026-11-21&until=2026-11-21')).status).to.equal(200)
    expect((await get('since=2026-11-22T00:00:00Z&until=2026-11-22T00:00:00Z')).status).to.equal(200)
  })

  it('accepts page in place of offset in every list', async () => {
    for (const name of ['Ada', 'Bo', 'Cy']) {
      world.clock.nowMs += 1
      await makePlayer(world, game, name)
    }
    for (const list of ['players', 'lb', 'keys']) {
      const path = `/api/gm/${game.id}/${list}/?limit=2&page=2`
      const { offset, limit } = must(await world.call('GET', path, { token: game.token }), 200)
      expect([offset, limit]).to.deep.equal([2, 2])
    }
    const { players, next_offset: next } = must(
      await world.call('GET', `/api/gm/${game.id}/players/?limit=2&page=2`, { token: game.token }),
      200,
    )
    expect([players.map(({ name }: { name: string }) => name), next]).to.deep.equal([['Cy'], null])
  })
})
