// Rankings in a Redis that others use too, that forgets scripts, or that is full.

import { expect } from 'chai'
import {
  added,
  all,
  change,
  FIVE,
  fill,
  filledWith,
  NAME,
  ofOne,
  posAt,
  sortKeyAt,
  sortKeysAt,
  upTo,
} from '../contracts/rankings-model.ts'
import { RedisWorld, rejection } from './redis-world.ts'

describe('Rankings in a Redis', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  it('of a dropped view leave no keys, and those of other views stay', async () => {
    const { url } = await world.server()
    const { rankings } = await world.stores(url)
    const old = upTo(16).map((partition) => rankings.of('entries@1', partition))
    for (const one of old) await fill(one, NAME, null, filledWith({ a: FIVE, b: FIVE }))
    const kept = rankings.of('entries@11', 1)
    await fill(kept, NAME, null, filledWith({ board: FIVE }))
    await rankings.drop('entries@1')
    expect(await world.command(url, 'KEYS', '*ranking:entries@1:*')).to.deep.equal([])
    expect(await Promise.all(old.map((one) => one.isFilled(NAME)))).to.deep.equal(old.map(() => false))
    expect(await all(kept, 'board')).to.deep.equal(FIVE)
  })

  it('of two installations on one server are separate, also when one is refilled', async () => {
    const { url } = await world.server()
    const one = ofOne((await world.stores(url, { namespace: 'a*:' })).rankings)
    const other = ofOne((await world.stores(url, { namespace: 'ab:' })).rankings)
    await fill(other, NAME, null, filledWith({ board: FIVE }))
    await fill(one, NAME, null, filledWith({ board: sortKeysAt([9]) }))
    await fill(one, NAME, null, filledWith({ board: sortKeysAt([8]) }))
    expect(await all(one, 'board')).to.deep.equal(sortKeysAt([8]))
    expect(await all(other, 'board')).to.deep.equal(FIVE)
  })

  it('work after Redis lost its scripts, and after another process filled them', async () => {
    const { url } = await world.server()
    const rankings = ofOne((await world.stores(url)).rankings)
    await fill(rankings, NAME, null, filledWith({ board: FIVE }))
    await world.command(url, 'SCRIPT', 'FLUSH')
    await rankings.put(added('board', [5]))
    expect(await rankings.size('board')).to.equal(6)
    const other = ofOne((await world.stores(url)).rankings)
    await fill(other, NAME, posAt(9), filledWith({ board: sortKeysAt([7]) }))
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([7]))
    // Its puts may belong to documents that were read too early, so it checks first.
    expect(await rankings.isCurrent()).to.equal(false)
    for (const changes of [added('board', [5], 10), []]) {
      expect((await rejection(rankings.put(changes))).name).to.equal('RankingsLost')
    }
    expect(await rankings.isFilled(NAME)).to.equal(true)
    expect(await rankings.isCurrent()).to.equal(true)
    await rankings.put([...added('board', [5], 8), ...added('other', [8], 10)])
    expect(await all(rankings, 'board')).to.deep.equal(sortKeysAt([7]))
    expect(await all(rankings, 'other')).to.deep.equal(sortKeysAt([8]))
  })

  it('are changed completely or not at all if Redis is out of memory', async () => {
    const { url } = await world.server()
    const rankings = ofOne((await world.stores(url)).rankings)
    await fill(rankings, NAME, null, filledWith({ board: FIVE }))
    await world.command(url, 'CONFIG', 'SET', 'maxmemory', '1')
    expect((await rejection(rankings.put(added('board', [9])))).message).to.match(/no memory left .*Raise maxmemory/)
    const move = [change('board', [sortKeyAt(4)], sortKeyAt(8, 4), 2)]
    const isMoved = await rankings.put(move).then(
      () => true,
      () => false,
    )
    await world.command(url, 'CONFIG', 'SET', 'maxmemory', '0')
    expect(await all(rankings, 'board')).to.deep.equal([...FIVE.slice(0, 4), isMoved ? sortKeyAt(8, 4) : sortKeyAt(4)])
    await rankings.put(move)
    expect(await all(rankings, 'board')).to.deep.equal([...FIVE.slice(0, 4), sortKeyAt(8, 4)])
  })
})
