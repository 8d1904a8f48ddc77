// Rankings in a Redis that is restarted, killed or restored to an earlier state are filled again, whatever Redis has
// kept.

import { cp, rm } from 'node:fs/promises'
import { expect } from 'chai'
import type { FilledRanking } from '../../stores/contract/rankings.ts'
import {
  added,
  all,
  callsOf,
  FIVE,
  fill,
  filledWith,
  LOST,
  NAME,
  ofOne,
  outcomes,
  posAt,
  sortKeyAt,
  sortKeysAt,
  upTo,
} from '../contracts/rankings-model.ts'
import { onceBack, RedisWorld, rejection } from './redis-world.ts'

describe('Rankings in a Redis that is restarted', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  it('must be refilled after each restart, also with appendfsync always', async () => {
    const server = await world.server({ fsync: 'always' })
    const rankings = ofOne((await world.stores(server.url)).rankings)
    for (const again of [() => server.restart(), () => server.kill().then(() => server.start())]) {
      await onceBack(() => fill(rankings, NAME, null, filledWith({ board: FIVE })))
      expect(await all(rankings, 'board')).to.deep.equal(FIVE)
      await again()
      expect(await onceBack(() => rankings.isFilled(NAME))).to.equal(false)
      expect(await outcomes(callsOf(rankings, 'board', sortKeyAt(1)))).to.deep.equal(LOST)
    }
  })

  it('must be refilled if Redis may have lost the last second', async () => {
    const server = await world.server({ fsync: 'everysec' })
    const rankings = ofOne((await world.stores(server.url)).rankings)
    await fill(rankings, NAME, null, filledWith({ board: FIVE }))
    await world.command(server.url, 'SAVE')
    await cp(server.folder, `${server.folder}-copy`, { recursive: true })
    await rankings.put(added('board', [5]))
    await server.kill()
    await rm(server.folder, { recursive: true })
    await cp(`${server.folder}-copy`, server.folder, { recursive: true })
    await rm(`${server.folder}-copy`, { recursive: true })
    await server.start()
    expect(await onceBack(() => rankings.isFilled(NAME))).to.equal(false)
    expect(await outcomes(callsOf(rankings, 'board', sortKeyAt(1)))).to.deep.equal(LOST)
    await fill(rankings, NAME, posAt(1), filledWith({ board: sortKeysAt(upTo(6)) }))
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt(upTo(6)))
  })

  it('do not count as filled if Redis restarts during the fill', async () => {
    const server = await world.server({ fsync: 'everysec' })
    const rankings = ofOne((await world.stores(server.url)).rankings)
    // Before anything is sent, and during a batch.
    for (const [count, expectedMessage] of [
      [100, /Redis was restarted/],
      [30_000, /Redis was restarted|cannot be used now/],
    ] as const) {
      async function* restarting(): AsyncGenerator<FilledRanking> {
        yield* filledWith({ board: sortKeysAt(upTo(count)) }, 1_000)
        await server.restart()
        await onceBack(() => rankings.isFilled(NAME))
        yield* filledWith({ other: FIVE })
      }
      expect((await rejection(fill(rankings, NAME, null, restarting()))).message).to.match(expectedMessage)
      expect(await onceBack(() => rankings.isFilled(NAME))).to.equal(false)
    }
  })
})
