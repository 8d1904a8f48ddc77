// The day on which a key was last used.

import { expect } from 'chai'
import { pause } from '../until.ts'
import { makeGame, makeKey } from './game-fixtures.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const DAY_MS = 86_400_000

describe('the last use of a key', () => {
  let world: World
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())

  it('is shown as a day, follows the use of its tokens, and survives a restart', async () => {
    const game = await makeGame(world)
    const key = await makeKey(world, game)
    const path = `/api/gm/${game.id}/`
    const lastUsed = async () => {
      const { keys } = must(await world.call('GET', `${path}keys/`, { token: await tokenOf(world, game.server) }), 200)
      return keys.find(({ prefix }: { prefix: string }) => prefix === key.prefix).last_used
    }
    const use = async () => {
      must(await world.call('GET', path, { token: await tokenOf(world, key) }), 200)
      const day = new Date(world.clock.nowMs).toISOString().slice(0, 10)
      // The write does not delay the call.
      while ((await lastUsed()) !== day) await pause(5)
      return day
    }
    expect(await lastUsed()).to.equal(null)
    const first = await use()
    world.clock.nowMs += DAY_MS
    expect(await lastUsed()).to.equal(first)
    const second = await use()
    await world.restart({})
    expect(await lastUsed()).to.equal(second)
  })
})
