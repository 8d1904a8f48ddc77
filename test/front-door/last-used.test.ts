// The day on which a key was last used, and a session last got a token.

import { expect } from 'chai'
import { eventually } from '../until.ts'
import { clientToken, makeGame, makeKey, signInGuest } from './game-fixtures.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const DAY_MS = 86_400_000

describe('the last use', () => {
  let world: World
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())

  const today = () => new Date(world.clock.nowMs).toISOString().slice(0, 10)
  /** The write does not delay the call. */
  async function isToday(lastUsed: () => Promise<unknown>): Promise<string> {
    await eventually(async () => (await lastUsed()) === today())
    return today()
  }

  it('of a key is shown as a day, follows the use of its tokens, and survives a restart', async () => {
    const game = await makeGame(world)
    const key = await makeKey(world, game)
    const path = `/api/gm/${game.id}/`
    const lastUsed = async () => {
      const { keys } = must(await world.call('GET', `${path}keys/`, { token: await tokenOf(world, game.server) }), 200)
      return keys.find(({ prefix }: { prefix: string }) => prefix === key.prefix).last_used
    }
    const use = async () => {
      must(await world.call('GET', path, { token: await tokenOf(world, key) }), 200)
      return isToday(lastUsed)
    }
    expect(await lastUsed()).to.equal(null)
    const first = await use()
    world.clock.nowMs += DAY_MS
    expect(await lastUsed()).to.equal(first)
    const second = await use()
    await world.restart({})
    expect(await lastUsed()).to.equal(second)
  })

  it('of a session is the day of its start, then of each renewal of its token, and survives a restart', async () => {
    const game = await makeGame(world)
    const guest = await signInGuest(world, game, await clientToken(world, game))
    const path = `/api/gm/${game.id}/`
    const lastUsed = async () => {
      const token = await tokenOf(world, game.server)
      const { sessions } = must(await world.call('GET', `${path}players/${guest.id}/sessions/`, { token }), 200)
      return sessions[0].last_used
    }
    const renew = async () => {
      must(await world.call('POST', `${path}player/refresh/`, { body: { refresh_token: guest.refreshToken } }), 200)
      return isToday(lastUsed)
    }
    const began = today()
    expect(await lastUsed()).to.equal(began)
    world.clock.nowMs += DAY_MS
    expect(await lastUsed()).to.equal(began)
    const second = await renew()
    world.clock.nowMs += DAY_MS
    expect(await lastUsed()).to.equal(second)
    const third = await renew()
    await world.restart({})
    expect(await lastUsed()).to.equal(third)
  })
})
