// Rankings in a Redis that is emptied, filled by two processes at once, restarted, restored to an earlier state, shared
// or full: never a wrong rank, and no answers until they are filled again.

import { cp, rm } from 'node:fs/promises'
import { expect } from 'chai'
import type { FilledRanking } from '../../stores/contract/rankings.ts'
import { createRedisRankings } from '../../stores/redis/rankings.ts'
import { END_FILL } from '../../stores/redis/rankings-scripts.ts'
import { connectRedis, type Redis } from '../../stores/redis/redis.ts'
import {
  added,
  all,
  callsOf,
  change,
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
import { turn } from '../until.ts'
import { onceBack, RedisWorld, rejection } from './redis-world.ts'

/** A score that no put of a test reaches. */
const NEVER_PUT = 9_000_000

const isLost = (error: unknown) => error instanceof Error && error.name === 'RankingsLost'

describe('Rankings in a Redis that loses its data', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  it('answer correctly or not at all while Redis is emptied and they are refilled during reads and puts', async () => {
    const { url } = await world.server()
    const rankings = ofOne((await world.stores(url)).rankings)
    const reader = ofOne((await world.stores(url)).rankings)
    let acknowledged = 0
    let sent = 0
    let isDone = false
    const seen = { answers: 0, losses: 0 }
    const refill = () =>
      fill(rankings, NAME, posAt(acknowledged), filledWith({ board: sortKeysAt(upTo(acknowledged)) }, 50))

    async function write(): Promise<void> {
      while (!isDone) {
        const first = acknowledged
        sent = Math.max(sent, first + 5)
        const put = rankings.put(
          added(
            'board',
            upTo(5).map((n) => first + n),
            first + 1,
          ),
        )
        await put.then(
          () => {
            acknowledged = first + 5
          },
          async (error) => {
            if (!isLost(error)) throw error
            await refill().catch((failure: Error) => expect(failure.name).to.equal('FillBroken'))
          },
        )
      }
    }
    async function read(): Promise<void> {
      while (!isDone) {
        const least = acknowledged
        try {
          const asked = sortKeysAt([0, 3, least - 1, NEVER_PUT])
          const ranks = await reader.ranks('board', asked)
          expect(ranks).to.deep.equal([0, 3, least - 1, null])
          expect(await reader.size('board')).to.be.within(least, sent)
          const page = await reader.around('board', sortKeyAt(least - 1), 3)
          expect(page?.rank).to.equal(least - 1)
          seen.answers++
        } catch (error) {
          if (!isLost(error)) throw error
          seen.losses++
        }
      }
    }
    async function empty(): Promise<void> {
      for (let times = 0; times < 12; times++) {
        const { answers, losses } = { ...seen }
        while (seen.answers < answers + 5 && !isDone) await turn()
        await world.command(url, 'FLUSHALL')
        while (seen.losses === losses && !isDone) await turn()
      }
      isDone = true
    }
    acknowledged = 5
    sent = 5
    await refill()
    await Promise.all([write(), read(), read(), empty()]).finally(() => {
      isDone = true
    })
    expect(seen.losses).to.be.at.least(12)
  })

  it('do not count as filled if Redis is emptied during the fill', async () => {
    const { url } = await world.server()
    const rankings = ofOne((await world.stores(url)).rankings)
    async function* emptied(at: number): AsyncGenerator<FilledRanking> {
      for (const n of upTo(4)) {
        if (n === at) await world.command(url, 'FLUSHALL')
        if (n < 3) yield* filledWith({ [`board-${n}`]: sortKeysAt(upTo(30_000)) }, 5_000)
      }
    }
    for (const at of upTo(4)) {
      const failure = await rejection(fill(rankings, NAME, null, emptied(at)))
      expect([at, failure.name]).to.deep.equal([at, 'FillBroken'])
      expect(await rankings.isFilled(NAME)).to.equal(false)
      expect(await outcomes(callsOf(rankings, 'board-0', sortKeyAt(1)))).to.deep.equal(LOST)
    }
    // Nothing of them remains or comes back.
    expect(await world.command(url, 'KEYS', '*ranking:*')).to.deep.equal([])
    await fill(rankings, NAME, null, filledWith({ 'board-0': FIVE }))
    expect(await all(rankings, 'board-0')).to.deep.equal(FIVE)
  })

  it('do not count as filled if Redis is emptied, or another fill begins, before any step of the fill', async () => {
    const { url } = await world.server()
    const redis = await connectRedis(url)
    const other = ofOne((await world.stores(url)).rankings)
    const emptied = () => world.command(url, 'FLUSHALL')
    const failedFill = () => rejection(fill(other, NAME, null, failing()))
    async function* failing(): AsyncGenerator<FilledRanking> {
      yield* filledWith({ board: sortKeysAt([7]) })
      throw new Error('the documents cannot be read')
    }
    try {
      for (const interfere of [emptied, failedFill]) {
        const filled: boolean[] = []
        // One step more than a fill has: then nothing interrupts it, and it completes.
        for (let step = 1; filled.length < 2 || !filled.at(-1); step++) {
          let steps = 0
          const meddled: Redis = {
            shown: redis.shown,
            use: async (work, timeoutMs) => {
              if (++steps === step) await interfere()
              return redis.use(work, timeoutMs)
            },
            close: () => {},
          }
          const meddledWith = ofOne(createRedisRankings(meddled, 'scorebook:'))
          await fill(meddledWith, NAME, null, filledWith({ board: FIVE })).catch((failure: Error) =>
            expect(failure.name).to.equal('FillBroken'),
          )
          filled.push(await other.isFilled(NAME))
          if (filled.at(-1)) expect(await all(other, 'board')).to.deep.equal(FIVE)
        }
        // Before the first step it has no effect.
        expect(filled.map((isFilled, n) => [n, isFilled])).to.deep.equal(
          filled.map((_, n) => [n, n === 0 || n === filled.length - 1]),
        )
        expect(filled.length).to.be.at.least(5)
      }
    } finally {
      redis.close()
    }
  })

  it('have the result of the last fill if two run at once', async () => {
    const { url } = await world.server()
    const first = ofOne((await world.stores(url)).rankings)
    const second = ofOne((await world.stores(url)).rankings)
    async function* overtaken(): AsyncGenerator<FilledRanking> {
      yield* filledWith({ board: sortKeysAt([10, 20, 30]), gone: FIVE })
      await fill(second, NAME, posAt(7), filledWith({ board: FIVE }))
      yield* filledWith({ board: sortKeysAt([40]), late: sortKeysAt(upTo(30_000)) })
    }
    expect((await rejection(fill(first, NAME, posAt(9), overtaken()))).name).to.equal('FillBroken')
    for (const rankings of [first, second]) {
      expect(await rankings.isFilled(NAME)).to.equal(true)
      expect(await Promise.all(['board', 'gone', 'late'].map((key) => all(rankings, key)))).to.deep.equal([
        FIVE,
        [],
        [],
      ])
    }
    expect(await world.command(url, 'KEYS', '*ranking:*')).to.have.length(2)
  })

  it('are not disturbed by a fill that was frozen before its first step and resumed later', async () => {
    const { url } = await world.server()
    const first = ofOne((await world.stores(url)).rankings)
    const second = ofOne((await world.stores(url)).rankings)
    const frozen = await first.beginFill(NAME)
    await fill(second, NAME, posAt(7), filledWith({ board: FIVE }))
    expect((await rejection(first.put(added('board', [9], 9)))).name).to.equal('RankingsLost')
    expect((await rejection(frozen.finish(posAt(9), filledWith({ late: FIVE })))).name).to.equal('FillBroken')
    expect(await second.isCurrent()).to.equal(true)
    expect([await all(second, 'board'), await all(second, 'late')]).to.deep.equal([FIVE, []])
    expect(await world.command(url, 'KEYS', '*ranking:*')).to.have.length(2)
  })

  it('never count as filled without their sort keys if the answer to the last step of a fill is lost', async () => {
    const { url } = await world.server()
    const redis = await connectRedis(url)
    const unanswered: Redis = {
      ...redis,
      shown: redis.shown,
      use: (work, timeoutMs) =>
        redis.use((connection) => {
          const run: typeof connection.run = async (script, keys, args) => {
            const answer = await connection.run(script, keys, args)
            if (script === END_FILL) throw new Error('the answer was lost')
            return answer
          }
          return work({ ...connection, run })
        }, timeoutMs),
    }
    try {
      const rankings = ofOne(createRedisRankings(unanswered, 'scorebook:'))
      const failure = await rejection(fill(rankings, NAME, null, filledWith({ board: FIVE })))
      expect(failure.message).to.equal('the answer was lost')
      expect(await rankings.isFilled(NAME)).to.equal(false)
      expect(await world.command(url, 'KEYS', '*')).to.deep.equal([])
    } finally {
      redis.close()
    }
  })
})

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

describe('Rankings in a Redis that is shared, full or without its scripts', () => {
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
