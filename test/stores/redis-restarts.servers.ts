// Rankings in a Redis that is restarted, killed, or goes back in time: kept whole where it writes through before it answers,
// and else filled again.

import { cp, rm } from 'node:fs/promises'
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import type { FilledRanking, Rankings } from '../../stores/contract/rankings.ts'
import {
  added,
  all,
  callsOf,
  change,
  filledWith,
  memberAt,
  membersAt,
  outcomes,
  posAt,
  upTo,
  VIEW,
} from '../contracts/rankings-model.ts'
import { onceBack, RedisWorld, rejection } from './redis-world.ts'

const LOST = Array.from({ length: 6 }, () => 'RankingsLost')
const FIVE = membersAt([0, 1, 2, 3, 4])

describe('Rankings in a Redis that is restarted', () => {
  const world = new RedisWorld()
  afterEach(() => world.close())

  const standingAfter = async (rankings: Rankings) => [
    await onceBack(() => rankings.isFilled(VIEW)),
    await all(rankings, 'board'),
  ]

  it('stand as they stood where it writes through before it answers, even killed', async () => {
    const server = await world.server({ fsync: 'always' })
    const { rankings } = await world.stores(server.url)
    await rankings.fill(VIEW, null, filledWith({ board: FIVE }))
    await server.restart()
    expect(await standingAfter(rankings)).to.deep.equal([true, FIVE])
    await rankings.put(added('board', [5, 6], 1))
    await server.kill()
    await server.start()
    expect(await standingAfter(rankings)).to.deep.equal([true, membersAt(upTo(7))])
    await rankings.put(added('board', [9], 2))
    expect(await rankings.size('board')).to.equal(7)
  })

  it('stay exact when it is killed in the middle of puts that are then put again, cut otherwise', async () => {
    const server = await world.server({ fsync: 'always' })
    const { rankings } = await world.stores(server.url)
    await rankings.fill(VIEW, null, filledWith({}))
    let done = 0
    let tried = 0
    let puts = 0
    let unknown = 0
    /** Each change moves the one entry there is; where nothing is known of a put, it is put again, cut otherwise. */
    async function put(count: number): Promise<void> {
      const changes = upTo(count).map((n) => {
        const at = done + n
        return change('board', at === 0 ? [] : [memberAt(at - 1)], memberAt(at), at + 1)
      })
      tried = Math.max(tried, done + count)
      const isPut = await rankings.put(changes).then(
        () => true,
        (error: Error) => {
          expect(error.name).to.equal('RedisAway')
          unknown++
          return false
        },
      )
      if (isPut) done += count
      else await onceBack(() => rankings.size('board'))
    }
    for (let kills = 0; kills < 5; kills++) {
      const [least, killAt] = [done + 60, done + 20 + kills * 3]
      let killing: Promise<void> | null = null
      while (done < least || done < tried) {
        puts++
        await put(1 + ((puts * 7) % 11))
        if (done >= killAt) killing ??= server.kill().then(() => server.start())
      }
      await killing
      expect(await onceBack(() => all(rankings, 'board'))).to.deep.equal([memberAt(done - 1)])
    }
    expect(unknown).to.be.at.least(5)
  })

  it('are to be filled again where it may have gone back by a second', async () => {
    const server = await world.server({ fsync: 'everysec' })
    const { rankings } = await world.stores(server.url)
    await rankings.fill(VIEW, null, filledWith({ board: FIVE }))
    await world.command(server.url, 'SAVE')
    await cp(server.folder, `${server.folder}-copy`, { recursive: true })
    await rankings.put(added('board', [5]))
    await server.kill()
    await rm(server.folder, { recursive: true })
    await cp(`${server.folder}-copy`, server.folder, { recursive: true })
    await rm(`${server.folder}-copy`, { recursive: true })
    await server.start()
    expect(await onceBack(() => rankings.isFilled(VIEW))).to.equal(false)
    expect(await outcomes(callsOf(rankings, 'board', memberAt(1)))).to.deep.equal(LOST)
    await rankings.fill(VIEW, posAt(1), filledWith({ board: membersAt(upTo(6)) }))
    expect(await all(rankings, 'board')).to.deep.equal(membersAt(upTo(6)))
  })

  it('are not filled by a fill in the middle of which it was restarted', async () => {
    const server = await world.server({ fsync: 'everysec' })
    const { rankings } = await world.stores(server.url)
    // With nothing sent yet, and with a batch under way.
    for (const [count, why] of [
      [100, /Redis was restarted/],
      [30_000, /Redis was restarted|cannot be used now/],
    ] as const) {
      async function* restarting(): AsyncGenerator<FilledRanking> {
        yield* filledWith({ board: membersAt(upTo(count)) }, 1_000)
        await server.restart()
        await onceBack(() => rankings.isFilled(VIEW))
        yield* filledWith({ other: FIVE })
      }
      expect((await rejection(rankings.fill(VIEW, null, restarting()))).message).to.match(why)
      expect(await onceBack(() => rankings.isFilled(VIEW))).to.equal(false)
    }
  })
})
