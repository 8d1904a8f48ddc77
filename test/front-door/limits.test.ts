// Input that is refused early, before it costs anything and in the right order of checks.

import { expect } from 'chai'
import { type MadeGame, makeBoard, makeGame, makePlayer } from './game-fixtures.ts'
import { sharedWorld } from './shared.ts'
import { must, type World } from './world.ts'

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
    const before = process.cpuUsage()
    const answer = await world.call('POST', `/api/gm/${game.id}/players/`, { token: game.token, body: { name: bomb } })
    const { user, system } = process.cpuUsage(before)
    expect([answer.status, answer.body.errors]).to.deep.equal([
      400,
      [{ pointer: '/name', detail: 'must be at most 64 characters: shorten it' }],
    ])
    expect((user + system) / 1_000).to.be.lessThan(BOMB_CPU_MAX_MS)
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
